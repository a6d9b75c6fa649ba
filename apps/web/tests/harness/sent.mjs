/** How much does the server send? */

import { get } from 'node:http';

/**
 * What it sends for an address to a browser that can unpack, headers left out.
 *
 * @param {string} url
 * @returns {Promise<number>}
 */
export function bytesSent(url) {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0;
      response.on('data', (part) => (bytes += part.length));
      response.on('end', () => resolve(bytes));
    }).on('error', reject);
  });
}
