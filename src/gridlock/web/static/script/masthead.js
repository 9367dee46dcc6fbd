import { element } from "./element.js";
import { prefer, preferences } from "./memory.js";

/** @import {Preferences} from "./memory.js" */

const PAGES = [
  ["/", "Play"],
  ["/learn", "Learn"],
  ["/study", "Analyse"],
  ["/games", "Games"],
  ["/rules", "Rules"],
];
/** @type {[Preferences["theme"], string][]} */
const THEMES = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** The top of every page: where to go, and how the pages look and sound. */
class SiteMasthead extends HTMLElement {
  connectedCallback() {
    this.replaceChildren(
      element("a", { class: "brand", href: "/", "aria-label": "GridLock" },
        element("img", { src: new URL("../icon.svg", import.meta.url).href, alt: "", width: 28, height: 28 }),
        element("span", {}, "GridLock")),
      element("nav", { "aria-label": "Pages" }, ...PAGES.map(([href, text]) => this.#link(href, text))),
      this.#menu());
  }

  /**
   * @param {string} href
   * @param {string} text
   */
  #link(href, text) {
    const section = href.split("/")[1];
    const isHere = location.pathname.split("/")[1] === section;
    return element("a", { href, "aria-current": isHere ? "page" : undefined }, text);
  }

  #menu() {
    const now = preferences();
    const menu = element("details", { class: "menu" },
      element("summary", { "aria-label": "Settings", title: "Settings" }, gear()),
      element("div", { class: "sheet" },
        element("fieldset", { class: "segments" },
          element("legend", {}, "Colours"),
          ...THEMES.map(([theme, text]) =>
            element("label", {},
              element("input", {
                type: "radio", name: "theme", value: theme, checked: now.theme === theme,
                onchange: () => prefer({ theme }),
              }),
              element("span", {}, text)))),
        toggle("Sounds", now.sound, (sound) => prefer({ sound })),
        toggle("Movement", now.motion, (motion) => prefer({ motion })),
        element("p", { class: "quiet small" },
          "Keys on the board: arrows, Home and End move, Enter chooses. In an analysis [ and ] step back and on, "
          + "as do ← → Home End beside the board; b plays the best cell, v shows values, m and M find mistakes.")));
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary")?.focus();
    });
    document.addEventListener("pointerdown", (event) => {
      if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
    });
    return menu;
  }
}

customElements.define("site-masthead", SiteMasthead);

/**
 * @param {string} text
 * @param {boolean} checked
 * @param {(isOn: boolean) => void} changed
 */
function toggle(text, checked, changed) {
  const box = element("input", { type: "checkbox", role: "switch", checked });
  box.addEventListener("change", () => changed(box.checked));
  return element("label", { class: "switch" }, text, box);
}

function gear() {
  const sliders = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  sliders.setAttribute("viewBox", "0 0 24 24");
  sliders.setAttribute("class", "icon");
  sliders.setAttribute("aria-hidden", "true");
  const lines = document.createElementNS("http://www.w3.org/2000/svg", "path");
  lines.setAttribute("d", "M4 7h9m5 0h2M4 17h2m5 0h9M15.5 4.5v5M8.5 14.5v5");
  sliders.append(lines);
  return sliders;
}
