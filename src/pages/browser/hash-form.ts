/** A transaction that is named by hand. */
import { paying as words } from '../words/en/checkout.ts'
import type { Attempts } from './attempt.ts'
import { renderForm } from './form.ts'

const hashForm = /^0x[0-9a-fA-F]{64}$/

export const renderHashForm = (attempts: Attempts, submit: string, onHash: (hash: string) => void): HTMLElement =>
  renderForm({
    fields: [
      {
        name: 'hash',
        label: words.transaction,
        isRequired: true,
        maxLength: 66,
        pattern: hashForm,
        mustBe: words.hash,
        hint: words.hashHint,
      },
    ],
    submit,
    kept: {},
    onKeep: () => {},
    onFault: (text, field) => attempts.fail(text, field),
    onSubmit: ({ values }) => onHash(values.text('hash')),
  }).element
