/** What both elements stand on: attributes that are properties too, a shadow root without markup, events that get out. */
import type { ProofgateEvents } from './widget.d.ts'

/** A program that renders on a server may import this file; only a browser has elements. */
export const Element = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/** For each name a property of the prototype that stands for the attribute: `gateId` for `gate-id`. */
export function reflect(prototype: HTMLElement, names: readonly string[], flags: readonly string[] = []): void {
  const define = (
    name: string,
    get: (this: HTMLElement) => unknown,
    set: (this: HTMLElement, value: unknown) => void,
  ) => Object.defineProperty(prototype, propertyOf(name), { get, set, enumerable: true, configurable: true })
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

const propertyOf = (attribute: string): string =>
  attribute.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** What a page set before this script was there lies in front of the property, and would hide it. */
export function adopt(element: HTMLElement, attributes: readonly string[]): void {
  const own = element as unknown as Record<string, unknown>
  for (const name of attributes.map(propertyOf))
    if (Object.hasOwn(own, name)) {
      const value = own[name]
      delete own[name]
      own[name] = value
    }
}

/** A sheet that is made by script is no inline style: policies without 'unsafe-inline' let it be. */
export function sheet(text: string): () => CSSStyleSheet {
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

/** Text stays text: no markup is parsed anywhere here, so Trusted Types have nothing to object to. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** A drawing of 24 by 24, in the colour of the text around it. */
export function drawing(path: string): SVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(space, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}
