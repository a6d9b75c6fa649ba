/** How does an engine that comes in two parts get the second, in the middle of what it does? */

/**
 * What to give to the first part, which asks when something is called that it does not have. In a worker it is fetched
 * then, and the worker waits; a page's own thread may not wait, so there it is fetched before.
 *
 * Promise: what goes wrong in the middle of a call is a fault of the engine, never a refusal: a call that was cut off leaves it unusable.
 */
export async function restFrom(address: string): Promise<() => BufferSource> {
  if (typeof document === 'undefined') return () => fetchedNow(address);
  const answer = await fetch(address);
  if (!answer.ok) throw missing(`the server answered ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  return () => whole(bytes);
}

function fetchedNow(address: string): ArrayBuffer {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.responseType = 'arraybuffer';
  try {
    request.send();
  } catch {
    throw missing('the server could not be reached');
  }
  if (request.status !== 200) throw missing(`the server answered ${request.status}`);
  return whole(request.response as ArrayBuffer);
}

/** Some answer with a page of their own instead, or break off: what cannot be compiled is told here, where it is known what it is. */
function whole(bytes: ArrayBuffer): ArrayBuffer {
  if (!WebAssembly.validate(bytes)) throw missing('what came is not the engine, or not all of it');
  return bytes;
}

function missing(why: string): WebAssembly.RuntimeError {
  return new WebAssembly.RuntimeError(`a part of the engine is missing: ${why}`);
}
