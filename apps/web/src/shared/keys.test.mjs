import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

class Element {
  constructor({ takesText = false, inDialog = false, id = '' } = {}) {
    this.id = id;
    this.matches = () => takesText;
    this.closest = () => (inDialog ? this : null);
  }
}
globalThis.Element = Element;
globalThis.document = { documentElement: new Element(), body: new Element() };
globalThis.matchMedia = () => ({ matches: false, addEventListener: () => undefined });
const { handlePageKey, shortcuts } = await import('./keys.ts');
const { settings } = await import('./settings.ts');

const pressed = [];
const on = [' ', 'e', '?', 'ArrowLeft', 'Escape'];
shortcuts.value = [{ on, caps: () => [], about: () => '', run: (key) => pressed.push(key) }];
const press = (key, target = document.body, more = {}) => {
  pressed.length = 0;
  handlePageKey({ key, target, defaultPrevented: false, preventDefault: () => undefined, ...more });
  return pressed.join();
};

afterEach(() => (settings.keys.value = true));

test('keys printed on buttons work when no control has the focus', () => {
  for (const target of [document.body, document.documentElement, new Element({ id: 'main' })]) {
    assert.deepEqual(['e', 'E', '?', ' '].map((key) => press(key, target)), ['e', 'e', '?', ' ']);
  }
});

test('a button or checkbox uses Space itself, and no other printed key', () => {
  assert.deepEqual(['e', '?', ' '].map((key) => press(key, new Element())), ['e', '?', '']);
});

test('no key works while text is typed, in a dialog, with a modifier, or if switched off', () => {
  for (const key of ['e', '?', ' ']) {
    assert.equal(press(key, new Element({ takesText: true })), '');
    assert.equal(press(key, new Element({ inDialog: true })), '');
    assert.equal(press(key, document.body, { ctrlKey: true }), '');
    assert.equal(press(key, document.body, { defaultPrevented: true }), '', 'handled by the stage');
    settings.keys.value = false;
    assert.equal(press(key), '');
    settings.keys.value = true;
  }
});

test('named keys stay with the focused element', () => {
  assert.deepEqual(['ArrowLeft', 'Escape'].map((key) => press(key)), ['', '']);
});
