/** The form of ownership-pseudonym: a name on this server. */
import { keepPresent, type VerifierForm } from '../form.ts'

export const makeForm = (): VerifierForm => ({
  fields: [
    {
      name: 'pseudonymId',
      label: 'Name',
      isRequired: true,
      isKept: true,
      maxLength: 32,
      pattern: /^[a-z0-9][a-z0-9._-]{1,30}[a-z0-9]$/,
      mustBe: 'must be 3 to 32 of a-z 0-9 . _ - and begin and end with a letter or digit',
      hint: '3 to 32 of a-z 0-9 . _ -',
    },
    { name: 'displayName', label: 'As it is shown', maxLength: 64, isKept: true },
  ],
  data: (values) => keepPresent({ pseudonymId: values.text('pseudonymId'), displayName: values.given('displayName') }),
})
