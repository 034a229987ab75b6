/** Elements without markup: text is text, whoever wrote it. */

export type Child = Node | string | undefined | null | false

type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>

/** `onclick` and its like are listeners; `false` and undefined leave an attribute out. */
export function makeElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(
    ...children.filter((child): child is Node | string => typeof child === 'string' || child instanceof Node),
  )
  return element
}

export const requireElement = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E

export const renderButton = (text: string, onclick: (event: Event) => void, kind = ''): HTMLButtonElement =>
  makeElement('button', { type: 'button', class: kind ? `button ${kind}` : 'button', onclick }, text)

export const renderFacts = (rows: readonly (readonly [string, Child, boolean?] | undefined | false)[]): HTMLElement =>
  makeElement(
    'dl',
    { class: 'facts' },
    ...rows.map((row) => {
      if (!row) return undefined
      const [name, value, isAddress] = row
      return makeElement(
        'div',
        {},
        makeElement('dt', {}, name),
        makeElement('dd', { class: isAddress && 'address' }, value),
      )
    }),
  )

/** The beginning and the end of an address, for a line that has no room. */
export const shortenAddress = (address: string): string =>
  address.length > 20 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address
