/** Markup that pages of proofs, agents and receipts share: rows of facts. */
import { type Html, html, type Inserted } from './shell.ts'

export const renderFact = (name: string, value: Inserted, isAddress = false): Html =>
  html`<div><dt>${name}</dt><dd${isAddress && html` class="address"`}>${value}</dd></div>
`

/** The beginning and the end of a long value. The script "copy" adds a button that copies the whole one. */
export const renderShortened = (value: string, label: string): Html =>
  value.length <= 24
    ? html`<span class="address">${value}</span>`
    : html`<span class="address" title="${value}" data-copy-value="${value}" data-copy-label="${label}">${value.slice(0, 10)}…${value.slice(-6)}</span>`
