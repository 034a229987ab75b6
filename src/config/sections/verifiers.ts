/**
 * [verifiers]: the offered verifiers, and their users. The catalog checks that the ids exist. Single verifiers add
 * settings of their own (src/settings.ts).
 */
import { Type } from '@sinclair/typebox'
import { describeChoice, describeFlag, describeTable, describeTables, list } from '../setting.ts'

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
