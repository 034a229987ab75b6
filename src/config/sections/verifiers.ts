/** [verifiers]: the offered verifiers, and their users. The catalog checks that the ids exist. */
import { Type } from '@sinclair/typebox'
import {
  describeChoice,
  describeFlag,
  describeTable,
  describeTables,
  describeText,
  describeWhole,
  list,
} from '../setting.ts'

const verifierId = '^[a-z][a-z0-9-]{0,63}$'

export const verifiers = describeTable({
  disabled: list(Type.String({ pattern: verifierId }), {
    description: 'The verifiers that this server does not offer. Everything else stays.',
    consequence: 'One that is listed is absent from the catalog. Proofs made with it stay valid.',
    expected: 'different verifier ids',
    default: [],
    example: ['agent-identity', 'agent-delegation'],
    maxItems: 100,
  }),
  enabled: Type.Optional(
    list(Type.String({ pattern: verifierId }), {
      description:
        'The only verifiers that this server offers, as far as what they need is configured. To switch some off, disabled is the shorter way.',
      consequence:
        'It switches off whatever it does not name, later ones too; start, check-config and doctor say which. Proofs made with those stay valid.',
      whenEmpty: 'all but ownership-licensed, which must be named here',
      expected: 'at least one verifier id',
      example: ['ownership-basic', 'wallet-link'],
      minItems: 1,
      maxItems: 100,
    }),
  ),
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
  app_links: describeFlag({
    description: 'Whether an app that a wallet has linked (agent-delegation, scope app-link) may make claims for it.',
    consequence: 'true believes the headers that name app and page, which only browsers are bound to tell rightly.',
    default: false,
    example: false,
  }),
  access: describeTables(verifierId, describeChoice(['public', 'key']), {
    description:
      'Who may use a verifier: public (everybody) or key (who is signed in or has an access key). Others are public.',
    consequence: 'Everybody else gets FORBIDDEN.',
    expected: 'a verifier id',
    example: { 'agent-identity': 'key' },
  }),
})
