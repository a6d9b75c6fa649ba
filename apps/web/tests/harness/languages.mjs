/** Which words tell one language from the other, and which are on the page? */

/** Words that stand in nearly every sentence of the one language and in none of the other. */
export const ENGLISH = anyOf(
  'the|of|and|with|to|is|are|this|that|for|cells?|frames?|objects?|tests?|pairs?|world|touching|moving|brute force|' +
    'sweep|tree|grid|size|speed|play|run|each|every|which|not',
);
export const PORTUGUESE = anyOf(
  'de|da|das|dos|com|para|que|não|uma?|os|células?|quadros?|objetos?|testes?|pares|mundo|cada|força bruta|varredura|' +
    'árvore|grade|tamanho',
);

/** @param {string} words */
export function anyOf(words) {
  // `\b` takes an accent for the end of a word.
  return new RegExp(`(?<!\\p{L})(${words})(?!\\p{L})`, 'iu');
}

/**
 * All that is written or read out; what says its own language is left to it, and so is what the reader named. Runs in the page.
 *
 * @param {string} [named] what holds such names
 */
export function wordsOfPage(named = 'script') {
  const texts = [document.title];
  for (const element of document.querySelectorAll('body *')) {
    const own = element.closest('[lang]');
    if (own !== document.documentElement || element.closest(`script, noscript, style, kbd, ${named}`) !== null) {
      continue;
    }
    for (const attribute of ['aria-label', 'title', 'alt', 'placeholder', 'aria-valuetext', 'aria-roledescription', 'label']) {
      texts.push(element.getAttribute(attribute) ?? '');
    }
    for (const child of element.childNodes) {
      texts.push(child.nodeType === Node.TEXT_NODE ? (child.textContent ?? '') : '');
    }
  }
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}
