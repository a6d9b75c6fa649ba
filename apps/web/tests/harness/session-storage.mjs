/**
 * A fake session storage with limited capacity.
 *
 * @param {number} most characters in total
 */
export function tab(most = Infinity) {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ text) => {
      const others = [...kept].reduce((sum, [other, { length }]) => sum + (other === name ? 0 : length), 0);
      if (others + text.length > most) throw new Error('quota');
      kept.set(name, text);
    },
    removeItem: (/** @type {string} */ name) => kept.delete(name),
    /** Number of stored characters. */
    get letters() {
      return [...kept.values()].reduce((sum, { length }) => sum + length, 0);
    },
  };
}
