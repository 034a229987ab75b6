/** Settings of pseudonyms below [verifiers]. */
import { describeText, describeWhole } from '../../config/setting.ts'

export const pseudonymSettings = {
  pseudonym_ttl_days: describeWhole({
    description: 'How long a claimed pseudonym lasts. 0 is for ever.',
    consequence: 'After that time anybody may claim the name.',
    unit: 'days',
    default: 0,
    example: 365,
    minimum: 0,
    maximum: 36_500,
  }),
  pseudonym_namespace: describeText({
    description: 'Namespace of a pseudonym whose request names none.',
    consequence: 'Names claimed in another namespace before are not found in the new one.',
    whenEmpty: 'the brand',
    sameAs: 'brand',
    example: 'acme',
    expected: 'up to 64 of a-z 0-9 . _ -, beginning and ending with a letter or a digit',
    pattern: '^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$',
  }),
}
