/** Shared by both elements: attributes that reflect properties, a shadow root without markup, events that leave it. */
import type { ProofgateEvents } from './widget.d.ts'

/** Server-side rendering may import this file; only a browser has elements. */
export const Element = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/** Defines a property for each attribute name: `gateId` for `gate-id`. */
export function reflect(prototype: HTMLElement, names: readonly string[], flags: readonly string[] = []): void {
  const define = (
    name: string,
    get: (this: HTMLElement) => unknown,
    set: (this: HTMLElement, value: unknown) => void,
  ) => Object.defineProperty(prototype, nameProperty(name), { get, set, enumerable: true, configurable: true })
  for (const name of names)
    define(
      name,
      function () {
        return this.getAttribute(name)
      },
      function (value) {
        if (value == null) this.removeAttribute(name)
        else this.setAttribute(name, String(value))
      },
    )
  for (const name of flags)
    define(
      name,
      function () {
        return this.hasAttribute(name)
      },
      function (value) {
        this.toggleAttribute(name, Boolean(value))
      },
    )
}

const nameProperty = (attribute: string): string =>
  attribute.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** An own property that the page set before this script loaded would hide the prototype's one. */
export function adopt(element: HTMLElement, attributes: readonly string[]): void {
  const own = element as unknown as Record<string, unknown>
  for (const name of attributes.map(nameProperty))
    if (Object.hasOwn(own, name)) {
      const value = own[name]
      delete own[name]
      own[name] = value
    }
}

/** A constructed sheet is not an inline style, so policies without 'unsafe-inline' allow it. */
export function makeSheet(text: string): () => CSSStyleSheet {
  let made: CSSStyleSheet | undefined
  return () => {
    if (!made) {
      made = new CSSStyleSheet()
      made.replaceSync(text)
    }
    return made
  }
}

export function fire<Name extends keyof ProofgateEvents>(
  element: HTMLElement,
  name: Name,
  detail: ProofgateEvents[Name]['detail'],
): void {
  element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
}

/** Text is never parsed as markup here, so Trusted Types have nothing to reject. */
export function makeElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** A 24 by 24 drawing in the color of the text around it. */
export function createDrawing(path: string): SVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(space, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}
