/** Detection of words of the wrong language on the page. */

/** Words that occur in nearly every sentence of one language and in none of the other. */
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
  // `\b` treats an accented letter as the end of a word.
  return new RegExp(`(?<!\\p{L})(${words})(?!\\p{L})`, 'iu');
}

/**
 * All visible and accessible text, except elements with a language of their own and names given by
 * the user. Runs in the page.
 *
 * @param {string} [named] selector of elements with such names
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
