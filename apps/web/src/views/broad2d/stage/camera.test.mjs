import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fit, isWhole, panned, resized, toWorld, zoomed } from './camera.ts';

const WORLD = { width: 2000, height: 1000 };
const STAGE = { width: 700, height: 500 };

const near = (a, b, about = '') => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b} ${about}`);

/** World coordinates of the stage's center. */
const middle = (view, stage = STAGE) => toWorld(view, stage.width / 2, stage.height / 2);

test('a fitted world is centered with its border inside the stage', () => {
  for (const stage of [STAGE, { width: 300, height: 900 }, { width: 1, height: 1 }]) {
    const view = fit(WORLD, stage);
    near(middle(view, stage).x, 1000);
    near(middle(view, stage).y, 500);
    if (stage.width > 100) {
      assert.ok(view.x >= 6 - 1e-9 && view.y >= 6 - 1e-9);
      assert.ok(view.x + 2000 * view.scale <= stage.width - 6 + 1e-9);
    }
  }
});

test('zooming keeps the point under the pointer fixed', () => {
  const start = fit(WORLD, STAGE);
  for (const [x, y] of [[350, 250], [200, 300], [500, 180]]) {
    const before = toWorld(start, x, y);
    const view = zoomed(start, 3, x, y, WORLD, STAGE);
    const after = toWorld(view, x, y);
    near(view.scale, 3 * start.scale);
    near(after.x, before.x);
    near(after.y, before.y);
  }
});

test('the center of the stage stays within the world when panning and zooming', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  let view = fit(WORLD, STAGE);
  for (let step = 0; step < 2000; step += 1) {
    const [x, y] = [random() * 700, random() * 500];
    view =
      random() < 0.5
        ? panned(view, (random() - 0.5) * 3000, (random() - 0.5) * 3000, WORLD, STAGE)
        : zoomed(view, Math.exp((random() - 0.5) * 4), x, y, WORLD, STAGE);
    const seen = middle(view);
    assert.ok(seen.x >= -1e-6 && seen.x <= 2000 + 1e-6, `x ${seen.x} at step ${step}`);
    assert.ok(seen.y >= -1e-6 && seen.y <= 1000 + 1e-6, `y ${seen.y} at step ${step}`);
  }
});

test('zoom is limited to the whole world and to 64 pixels per unit', () => {
  const start = fit(WORLD, STAGE);
  const near_ = zoomed(start, 1e9, 350, 250, WORLD, STAGE);
  const far = zoomed(start, 1e-9, 350, 250, WORLD, STAGE);
  near(near_.scale, 64);
  assert.deepEqual(far, start);
  assert.deepEqual(zoomed(near_, 1e-9, 1, 1, WORLD, STAGE), start, 'from any position');
  const tiny = { width: 2, height: 2 };
  const whole = fit(tiny, STAGE);
  assert.ok(whole.scale > 64);
  near(zoomed(whole, 1e9, 350, 250, tiny, STAGE).scale, 8 * whole.scale);
});

test('NaN changes nothing', () => {
  const start = fit(WORLD, STAGE);
  for (const bad of [NaN, Infinity, -Infinity]) {
    assert.deepEqual(panned(start, bad, 0, WORLD, STAGE), start);
    assert.deepEqual(panned(start, 0, bad, WORLD, STAGE), start);
    assert.deepEqual(zoomed(start, bad, 1, 1, WORLD, STAGE), start);
    assert.deepEqual(zoomed(start, 2, bad, 1, WORLD, STAGE), start);
  }
  for (const bad of [0, -1]) assert.deepEqual(zoomed(start, bad, 1, 1, WORLD, STAGE), start);
});

test('a fitted view is refitted when the stage is resized, another keeps its center', () => {
  const wide = { width: 1400, height: 900 };
  assert.deepEqual(resized(fit(WORLD, STAGE), WORLD, STAGE, wide), fit(WORLD, wide));
  const chosen = panned(zoomed(fit(WORLD, STAGE), 4, 100, 100, WORLD, STAGE), 9, -7, WORLD, STAGE);
  const after = resized(chosen, WORLD, STAGE, wide);
  near(after.scale, chosen.scale);
  near(middle(after, wide).x, middle(chosen).x);
  near(middle(after, wide).y, middle(chosen).y);
});

test('zooming in and out again shows the whole world, also after panning', () => {
  for (const world of [WORLD, { width: 100_000, height: 100_000 }, { width: 10, height: 10 }]) {
    const start = fit(world, STAGE);
    let view = start;
    for (let press = 0; press < 60; press += 1) view = zoomed(view, 1.25, 350, 250, world, STAGE);
    assert.ok(!isWhole(view, world, STAGE));
    for (let press = 0; press < 60; press += 1) view = zoomed(view, 1 / 1.25, 350, 250, world, STAGE);
    assert.deepEqual(view, start);
    assert.ok(isWhole(panned(view, 50, 0, world, STAGE), world, STAGE));
  }
});
