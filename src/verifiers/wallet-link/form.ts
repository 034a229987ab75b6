/** The form of wallet-link, shown once the second wallet has signed: how both wallets belong together. */
import type { VerifierForm } from '../form.ts'
import { form as words } from './words/en.ts'

/** `signed` holds the members of the claim that the second wallet has signed. */
export const makeForm = (signed: object): VerifierForm => ({
  submit: words.submit,
  fields: [
    {
      name: 'relationshipType',
      label: words.relationship,
      kind: 'choice',
      isRequired: true,
      options: Object.entries(words.relationships),
    },
    { name: 'label', label: words.label, maxLength: 64 },
  ],
  data: (values) => ({
    ...signed,
    relationshipType: values.text('relationshipType'),
    ...(values.given('label') === undefined ? {} : { label: values.given('label') }),
  }),
})
