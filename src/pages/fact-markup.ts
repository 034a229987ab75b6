/** Markup that pages of proofs and agents share: times, and rows of facts. */
import { type Html, html, type Inserted } from './shell.ts'

/** UTC, because the server renders the page and does not know the reader's time zone. */
export const renderMoment = (ms: number): Html => {
  const iso = new Date(ms).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`
}

export const renderFact = (name: string, value: Inserted, isAddress = false): Html =>
  html`<div><dt>${name}</dt><dd${isAddress && html` class="address"`}>${value}</dd></div>
`

/** The beginning and the end of a long value. The script "copy" adds a button that copies the whole one. */
export const renderShortened = (value: string, label: string): Html =>
  value.length <= 24
    ? html`<span class="address">${value}</span>`
    : html`<span class="address" title="${value}" data-copy-value="${value}" data-copy-label="${label}">${value.slice(0, 10)}…${value.slice(-6)}</span>`
