/** [risk]: the providers that judge wallets for wallet-risk, and the limit. */
import { Type } from '@sinclair/typebox'
import { isEndpoint, keyForm } from '../../config/address.ts'
import { describeChoice, describeFlag, describeTable, describeText, list } from '../../config/setting.ts'
import { riskLevels, riskProviderNames } from '../../outside/risk/risk.ts'
import { describePanelPolicy, makeJudgesCheck } from '../panel-policy.ts'
import { defineVerifierTable } from '../verifier-table.ts'

const describeAddress = (url: string, what: string) =>
  describeText({
    description: `Address of ${what}.`,
    consequence: 'Wallet addresses are sent there.',
    default: url,
    example: url,
    expected: 'an http(s) address',
    accepts: isEndpoint,
  })

const describeProvider = (url: string, what: string) =>
  describeTable({
    api_key: Type.Optional(
      describeText({
        description: `Key of ${what}.`,
        consequence: 'Each assessment is a call on the account of this key.',
        whenEmpty: `${what} is not offered`,
        secret: true,
        example: '<key>',
        ...keyForm,
      }),
    ),
    url: describeAddress(url, what),
  })

const providerName = describeChoice(riskProviderNames)

export const riskTable = defineVerifierTable({
  name: 'risk',
  schema: describeTable(
    {
      providers: Type.Optional(
        list(providerName, {
          description:
            'Who judges wallets, in this order. embedded: deny_list, sanctions oracles and what chains show. The deny list is asked in any case.',
          consequence:
            'wallet-risk is absent while one of them is not configured. Wallet addresses are sent to all but embedded.',
          whenEmpty: 'embedded alone, or the one of provider',
          example: ['webacy', 'chainalysis'],
          minItems: 1,
          maxItems: 4,
        }),
      ),
      policy: describePanelPolicy('a wallet', 'sanctioned or too risky'),
      selectable: list(providerName, {
        description: 'Providers that a request may choose in place of those above, by data.provider.',
        consequence:
          'Whoever makes a proof chooses the judge among them; the proof says so (chosenByCaller), and gates can ask for a provider.',
        default: [],
        example: ['goplus'],
        maxItems: 4,
      }),
      provider: Type.Optional(
        describeChoice(riskProviderNames, {
          description: 'The older way to name one provider. providers takes its place.',
          consequence: 'The same as providers with this one in it. Both at once are refused.',
          whenEmpty: 'see providers',
          example: 'webacy',
        }),
      ),
      max_level: describeChoice(riskLevels, {
        description: 'The highest risk level that still makes a proof. Sanctioned wallets never get one.',
        consequence: 'Higher lets riskier wallets have a proof of wallet-risk; gates may ask for less.',
        default: 'medium',
        example: 'low',
      }),
      deny_list: Type.Optional(
        describeText({
          description:
            'File of wallets that are sanctioned here: an address in each line, # begins a comment. Relative to the working directory.',
          consequence:
            'The server does not start where it is missing. It is read again when it changes. A wallet in it never gets a proof of wallet-risk. A line that is no address stops wallet-risk until it is mended: replace the file in one go (mv).',
          whenEmpty: 'there is no list',
          example: '/etc/proofgate/deny.txt',
          expected: 'the name of a file',
          names: 'file',
          pattern: '^[^\\x00]+$',
        }),
      ),
      webacy: describeProvider('https://api.webacy.com', 'Webacy'),
      goplus: describeTable({
        enabled: describeFlag({
          description:
            'Whether GoPlus is configured. It is as well where providers or selectable names it, and answers without a key.',
          consequence: 'Wallet addresses are sent there once providers or selectable names it, and by doctor.',
          default: false,
          example: true,
        }),
        api_key: Type.Optional(
          describeText({
            description: 'Access token of GoPlus.',
            consequence: 'Each assessment is a call on the account of this token.',
            whenEmpty: 'calls carry no token',
            secret: true,
            example: '<token>',
            ...keyForm,
          }),
        ),
        url: describeAddress('https://api.gopluslabs.io', 'GoPlus'),
      }),
      chainalysis: describeProvider('https://public.chainalysis.com', 'Chainalysis'),
    },
    { findContradictions: makeJudgesCheck('risk', [['providers', 'provider']]) },
  ),
})
