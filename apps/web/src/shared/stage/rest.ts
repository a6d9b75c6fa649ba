/** How does an engine that comes in two parts get the second, in the middle of what it does? */

/**
 * What to give to the first part, which asks when something is called that it does not have. In a worker it is fetched
 * then, and the worker waits; a page's own thread may not wait, so there it is fetched before.
 */
export async function restFrom(address: string): Promise<() => BufferSource> {
  if (typeof document === 'undefined') return () => fetchedNow(address);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  return () => bytes;
}

function fetchedNow(address: string): ArrayBuffer {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.responseType = 'arraybuffer';
  request.send();
  if (request.status !== 200) throw new Error(`${address}: ${request.status}`);
  return request.response as ArrayBuffer;
}
