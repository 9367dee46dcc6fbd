/**
 * Makes an element. Text is always put in as text, so nobody's name can become markup.
 *
 * Keys of `properties` that begin with "on" are listeners, `class` and names with a dash are
 * attributes, `data` are data attributes, everything else is a property of the element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "data") Object.assign(made.dataset, value);
    else if (key === "class") made.className = value;
    else if (key === "role" || key.includes("-")) made.setAttribute(key, String(value));
    else /** @type {any} */ (made)[key] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/**
 * Sets an element's text only where it differs: a live region repeats what is set anew.
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/**
 * Returns the one element that a page must have.
 * @param {string} selector
 * @param {ParentNode} [within]
 */
export const find = (selector, within) => findAs(HTMLElement, selector, within);

/**
 * Returns the one element of some kind that a page must have.
 * @template {HTMLElement} Kind
 * @param {new () => Kind} kind
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {Kind}
 */
export function findAs(kind, selector, within = document) {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}
