import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { engineError } from '../../views/simulator3d/stage/edits.ts';
import { Keeper } from './keeper.ts';
import { restFrom } from './rest.ts';

/** The least that is a module: its mark and its version. */
const MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]).buffer;
const PAGE = new TextEncoder().encode('<!doctype html><title>Sign in</title>').buffer;

/** A server that answers so. */
function serve(send) {
  globalThis.XMLHttpRequest = class {
    status = 0;
    response = null;
    open(method, address, isAsync) {
      assert.deepEqual([method, address, isAsync], ['GET', 'rest.wasm', false]);
    }
    send() {
      send(this);
    }
  };
}

function answers(status, response) {
  serve((request) => Object.assign(request, { status, response }));
}

function offline() {
  serve(() => {
    throw new Error("Failed to execute 'send' on 'XMLHttpRequest': Failed to load 'rest.wasm'.");
  });
}

afterEach(() => delete globalThis.XMLHttpRequest);

test('in a worker the second part is fetched when it is asked for, not before', async () => {
  let sent = 0;
  serve((request) => {
    sent += 1;
    Object.assign(request, { status: 200, response: MODULE });
  });
  const rest = await restFrom('rest.wasm');
  assert.equal(sent, 0);
  assert.equal(rest(), MODULE);
  assert.equal(sent, 1);
});

test('a second part that does not come is a fault of the engine, in plain words, and nothing that it refuses', async () => {
  const rest = await restFrom('rest.wasm');
  const cases = [
    [offline, /part of the engine is missing: the server could not be reached$/],
    [() => answers(404, PAGE), /the server answered 404$/],
    [() => answers(0, null), /the server answered 0$/],
    [() => answers(200, PAGE), /not the engine, or not all of it$/],
    [() => answers(200, MODULE.slice(0, 6)), /not the engine, or not all of it$/],
  ];
  for (const [server, words] of cases) {
    server();
    let thrown;
    assert.throws(rest, (error) => {
      thrown = error;
      return error instanceof WebAssembly.RuntimeError && words.test(error.message);
    });
    assert.throws(() => engineError(thrown), thrown);
  }
});

test('whoever edits while the second part cannot be fetched hears that the engine failed, once, and can begin again', async () => {
  offline();
  const rest = await restFrom('rest.wasm');
  const heard = [];
  const keeper = new Keeper(async () => ({ lastPanic: () => '' }), {
    begin: () => undefined,
    act: () => {
      try {
        rest();
      } catch (error) {
        heard.push(engineError(error));
      }
    },
    ended: () => heard.push('ended'),
    failed: (message) => heard.push(message),
  });
  keeper.receive('push');
  keeper.receive('push');
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(heard, ['ended', 'RuntimeError: a part of the engine is missing: the server could not be reached']);
});

test('on the page’s own thread it is fetched before, and what does not come is told at once', async () => {
  globalThis.document = {};
  const realFetch = globalThis.fetch;
  try {
    globalThis.fetch = async () => ({ ok: false, status: 503 });
    await assert.rejects(restFrom('rest.wasm'), /the server answered 503$/);
    globalThis.fetch = async () => ({ ok: true, arrayBuffer: async () => MODULE });
    assert.equal((await restFrom('rest.wasm'))(), MODULE);
  } finally {
    globalThis.fetch = realFetch;
    delete globalThis.document;
  }
});
