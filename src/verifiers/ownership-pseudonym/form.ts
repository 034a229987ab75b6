/** The form of ownership-pseudonym: a name on this server. */
import { keepPresent, type VerifierForm } from '../form.ts'
import { form as words } from './words/en.ts'

export const makeForm = (): VerifierForm => ({
  fields: [
    {
      name: 'pseudonymId',
      label: words.name,
      isRequired: true,
      isKept: true,
      maxLength: 32,
      pattern: /^[a-z0-9][a-z0-9._-]{1,30}[a-z0-9]$/,
      mustBe: words.mustBe,
      hint: words.nameHint,
    },
    { name: 'displayName', label: words.displayName, maxLength: 64, isKept: true },
  ],
  data: (values) => keepPresent({ pseudonymId: values.text('pseudonymId'), displayName: values.given('displayName') }),
})
