/** [human]: the providers that confirm one person behind a wallet, for proof-of-human. */
import { Type } from '@sinclair/typebox'
import { isEndpoint, keyForm } from '../../config/address.ts'
import { isPrivateKey } from '../../config/private-key.ts'
import { describeChoice, describeFlag, describeTable, describeText, describeWhole, list } from '../../config/setting.ts'
import { defineVerifierTable } from '../verifier-table.ts'

const evmAddress = { expected: 'an EVM address', pattern: '^0x[a-fA-F0-9]{40}$' }
const chainName = { expected: 'the name of a table under [chains]', pattern: '^[a-z][a-z0-9-]{0,31}$' }

const describeAddress = (url: string, what: string) =>
  describeText({
    description: `Address of ${what}.`,
    consequence: 'Proofs or wallet addresses are sent there.',
    default: url,
    example: url,
    expected: 'an http(s) address',
    accepts: isEndpoint,
  })

const zkpassport = describeTable({
  chain: Type.Optional(
    describeText({
      description: 'The chain whose verifier contract of ZKPassport is asked, by its name under [chains].',
      consequence: 'The contract decides who is a person. Proofs made before are not looked at again.',
      whenEmpty: 'ZKPassport is not offered',
      example: 'base',
      ...chainName,
    }),
  ),
  verifier: describeText({
    description: 'The root verifier contract of ZKPassport.',
    consequence: 'Whoever can change that contract decides who is a person.',
    default: '0x1D000001000EFD9a6371f4d90bB8920D5431c0D8',
    example: '0x1D000001000EFD9a6371f4d90bB8920D5431c0D8',
    ...evmAddress,
  }),
  sanctions_registry: describeWhole({
    description: 'Id of the registry of sanctions lists, in the root registry behind the verifier.',
    consequence: 'With a wrong one no proof says that somebody is on no sanctions list.',
    default: 3,
    example: 3,
    minimum: 1,
    maximum: 1_000_000,
  }),
  salted: describeFlag({
    description: 'Whether the salted unique identifier of a passport counts, in place of the plain one.',
    consequence: 'Each passport has one of either kind: after a change, everybody is another person.',
    default: false,
    example: false,
  }),
  dev_mode: describeFlag({
    description: 'Whether passports for tests count.',
    consequence: 'Anybody can make any number of them: only for a test chain.',
    default: false,
    example: false,
  }),
})

const semaphore = describeTable({
  roots: list(Type.String({ pattern: '^[1-9][0-9]{0,76}$' }), {
    description: 'Merkle roots of the groups whose members are persons, as decimal numbers.',
    consequence: 'A group has another root after each change; the older one counts as long as it stands here.',
    expected: 'decimal numbers in quotes',
    default: [],
    example: ['4990292586352433503726012711155167179034286198473030768981544541070532815155'],
    maxItems: 100,
  }),
  chain: Type.Optional(
    describeText({
      description: 'The chain of the contract below, by its name under [chains].',
      consequence: 'Whoever runs its endpoints decides who is in the group.',
      whenEmpty: 'only roots count',
      example: 'base',
      ...chainName,
    }),
  ),
  contract: describeText({
    description: 'The Semaphore v4 contract that keeps the group.',
    consequence: 'It decides who is in the group.',
    default: '0x8A1fd199516489B0Fb7153EB5f075cDAC83c693D',
    example: '0x8A1fd199516489B0Fb7153EB5f075cDAC83c693D',
    ...evmAddress,
  }),
  group: Type.Optional(
    describeText({
      description: 'Id of the group in that contract. Its present root counts.',
      consequence: 'Whoever is the admin of the group says who is a person.',
      whenEmpty: 'only roots count',
      example: '42',
      expected: 'a decimal number in quotes',
      pattern: '^(0|[1-9][0-9]{0,76})$',
    }),
  ),
})

const worldid = describeTable({
  app_id: Type.Optional(
    describeText({
      description: 'Id of the app in the developer portal of World ID, for World ID 3.',
      consequence: 'Each proof is a call to the portal. The action there is the scope.',
      whenEmpty: 'World ID 3 is not offered',
      example: 'app_staging_45068dca85829d2fd90e2dd6f0bff997',
      expected: 'app_ and what follows it in the portal',
      pattern: '^app_[A-Za-z0-9_]{1,64}$',
    }),
  ),
  rp_id: Type.Optional(
    describeText({
      description: 'Id of the relying party, for World ID 4. Takes the place of app_id.',
      consequence: 'A person has another unique id in World ID 4: after the change, everybody is another person.',
      whenEmpty: 'World ID 4 is not offered',
      example: 'rp_45068dca85829d2f',
      expected: 'rp_ and what follows it in the portal',
      pattern: '^rp_[A-Za-z0-9_]{1,64}$',
    }),
  ),
  signing_key: Type.Optional(
    describeText({
      description: 'Private key that the portal names for requests of World ID 4: 0x and 64 hexadecimal digits.',
      consequence: 'With it, everybody who opens a page of this server can ask for a proof in its name.',
      whenEmpty: 'pages of this server do not ask for proofs of World ID 4; those made elsewhere count',
      secret: true,
      example: '<0x and 64 hexadecimal digits>',
      expected: '0x and 64 hexadecimal digits that are a key of secp256k1',
      pattern: '^0x[0-9a-fA-F]{64}$',
      accepts: isPrivateKey,
    }),
  ),
  credentials: list(
    describeChoice(['orb', 'proof_of_human', 'secure_document', 'passport', 'mnc', 'document', 'selfie', 'device']),
    {
      description: 'Credentials that count: orb is of World ID 3, proof_of_human of World ID 4.',
      consequence: 'With device or selfie one person can be several.',
      expected: 'at least one credential',
      default: ['orb', 'proof_of_human'],
      example: ['proof_of_human', 'passport'],
      minItems: 1,
      maxItems: 8,
    },
  ),
  url: describeAddress('https://developer.worldcoin.org', 'the developer portal'),
})

const passport = describeTable({
  api_key: Type.Optional(
    describeText({
      description: 'Key of the API of Human Passport.',
      consequence: 'Each proof is a call on the account of this key.',
      whenEmpty: 'Human Passport is not offered',
      secret: true,
      example: '<key>',
      ...keyForm,
    }),
  ),
  scorer_id: Type.Optional(
    describeText({
      description: 'Id of the scorer.',
      consequence: 'It decides which stamps count, and how much.',
      whenEmpty: 'Human Passport is not offered',
      example: '1234',
      expected: 'the number of a scorer in quotes',
      pattern: '^[0-9]{1,12}$',
    }),
  ),
  min_score: describeWhole({
    description: 'The least score that makes a proof.',
    consequence: 'Lower lets more wallets in that no person stands behind.',
    unit: 'points',
    default: 20,
    example: 20,
    minimum: 1,
    maximum: 1000,
  }),
  url: describeAddress('https://api.passport.xyz', 'the API of Human Passport'),
})

export const humanTable = defineVerifierTable({
  name: 'human',
  schema: describeTable({
    valid_days: describeWhole({
      description: 'How long a proof of proof-of-human lasts, unless its provider says less.',
      consequence: 'Afterwards the person proves it again, and may take another wallet.',
      unit: 'days',
      default: 180,
      example: 90,
      minimum: 1,
      maximum: 3650,
    }),
    wallets_per_person: describeWhole({
      description: 'How many wallets may hold a proof of the same person in the same scope at a time.',
      consequence: 'With more than 1, gates that count wallets count some persons several times.',
      unit: 'wallets',
      default: 1,
      example: 2,
      minimum: 1,
      maximum: 1000,
    }),
    scopes: list(Type.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }), {
      description: 'Scopes that requests may name. Empty: <brand>-v1 alone.',
      consequence: 'A person is another one in each scope: gates should ask for traits.scope where there are several.',
      expected: 'up to 64 of a-z A-Z 0-9 _ -',
      default: [],
      example: ['svc-v1', 'airdrop-2026'],
      maxItems: 100,
    }),
    zkpassport,
    semaphore,
    worldid,
    passport,
  }),
})
