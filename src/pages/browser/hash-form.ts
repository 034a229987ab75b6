/** A transaction that is named by hand. */
import type { Attempts } from './attempt.ts'
import { renderForm } from './form.ts'

const hashForm = /^0x[0-9a-fA-F]{64}$/

export const renderHashForm = (attempts: Attempts, submit: string, onHash: (hash: string) => void): HTMLElement =>
  renderForm({
    fields: [
      {
        name: 'hash',
        label: 'Transaction',
        isRequired: true,
        maxLength: 66,
        pattern: hashForm,
        mustBe: 'must be 0x and 64 hexadecimal digits',
        hint: 'The hash of the transfer, from your wallet or an explorer.',
      },
    ],
    submit,
    kept: {},
    onKeep: () => {},
    onFault: (text, field) => attempts.fail(text, field),
    onSubmit: ({ values }) => onHash(values.text('hash')),
  }).element
