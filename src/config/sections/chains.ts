/** [chains.<name>]: the blockchains that may be asked. The name is free; `chain` identifies the chain. */
import { type TSchema, type TUnsafe, Type } from '@sinclair/typebox'
import { isEndpoint, isSafeToSend, isWebAddress } from '../address.ts'
import {
  describeChoice,
  describeFlag,
  describeTable,
  describeTables,
  describeText,
  describeWhole,
  list,
} from '../setting.ts'

const evmAddress = '^0x[a-fA-F0-9]{40}$'

const readWords = ['latest', 'safe', 'finalized'] as const

/** The block for proofs of assets: a tag of the chain, or a depth below its newest block. */
export type ReadPoint = (typeof readWords)[number] | number

const readPoint = Type.Union(
  [...readWords.map((word) => Type.Literal(word)), Type.Integer({ minimum: 0, maximum: 10_000 })],
  {
    description:
      'At which block proofs of NFTs, tokens and contracts are read: "latest", a number of blocks below the newest one, "safe" or "finalized". Solana is read at its finalized state, whatever stands here.',
    consequence:
      'Deeper blocks are seldom replaced, and are older: what was bought since is not seen yet, what was sold since still counts. Proofs of blocks that are not final are followed until they are.',
    default: 'latest',
    example: 'safe',
  } as const,
) as TSchema as TUnsafe<ReadPoint>

const chain = describeTable({
  chain: describeText({
    description: 'CAIP-2 id of the chain. It is compared with what each endpoint says of itself before it is believed.',
    consequence: 'Endpoints of another chain are not used.',
    example: 'eip155:8453',
    expected: 'eip155:<chain id>, or solana:<mainnet, devnet, testnet or the first 32 characters of the genesis hash>',
    pattern: '^(eip155:[1-9][0-9]{0,14}|solana:(mainnet|devnet|testnet|[1-9A-HJ-NP-Za-km-z]{32}))$',
  }),
  rpc: list(
    Type.String({
      secret: true,
      maxLength: 1000,
      expected: 'an http(s) address',
      example: 'https://rpc.example.com/<key>',
      accepts: isEndpoint,
    }),
    {
      description: 'JSON-RPC addresses, the preferred one first. The others take over when it does not answer.',
      consequence: 'Whoever runs them decides what is true on this chain: see agree.',
      expected: 'at least one http(s) address',
      example: ['https://rpc.example.com/<key>', 'https://rpc2.example.com'],
      minItems: 1,
      maxItems: 10,
      uniqueItems: false,
    },
  ),
  agree: describeWhole({
    description: 'How many endpoints must give the same answer at the same block.',
    consequence: 'With 2 no single endpoint can lie, and an outage of all but one refuses claims.',
    unit: 'endpoints',
    default: 1,
    example: 2,
    minimum: 1,
    maximum: 10,
  }),
  agree_counts: describeChoice(['hosts', 'addresses'], {
    description:
      'What counts once towards agree: "hosts" is every host, whatever its ports, paths and keys (of this machine every port), "addresses" is every address.',
    consequence: 'With "addresses" one provider may agree with itself. It is for gateways that lead to several nodes.',
    default: 'hosts',
    example: 'addresses',
  }),
  proofs: describeFlag({
    description:
      'Whether what is read of accounts and contracts is checked against eth_getProof, under the header of the block that endpoints agree on. EVM chains only.',
    consequence:
      'true takes some calls more, and refuses claims while no endpoint proves what it says. Which block is the right one still rests on agree.',
    default: false,
    example: true,
  }),
  stale_after_seconds: describeWhole({
    description: 'How old the newest block of an endpoint may be. 0 does not look.',
    consequence: 'An endpoint behind that is not used. A development chain without traffic needs 0.',
    unit: 'seconds',
    default: 900,
    example: 60,
    minimum: 0,
    maximum: 2_592_000,
  }),
  read_at: readPoint,
  eas: Type.Optional(
    describeText({
      description: 'Contract of the Ethereum Attestation Service on this chain, for options.targetChains.',
      consequence: 'Proofs are published to this contract.',
      whenEmpty: 'nothing is published on this chain',
      example: '0x4200000000000000000000000000000000000021',
      expected: 'an EVM address',
      pattern: evmAddress,
    }),
  ),
  sanctions_oracle: Type.Optional(
    describeText({
      description: 'Contract with isSanctioned(address), which the embedded risk provider asks about every EVM wallet.',
      consequence: 'The contract decides which wallets are sanctioned.',
      whenEmpty: 'no oracle is asked on this chain',
      example: '0x40C57923924B5c5c5455c48D93317139ADDaC8fb',
      expected: 'an EVM address',
      pattern: evmAddress,
    }),
  ),
  explorer: Type.Optional(
    describeText({
      description: 'Web address of a block explorer for people. Receipts link to <explorer>/tx/<hash>.',
      consequence: 'Buyers and sellers are sent there to look at their payments.',
      whenEmpty: 'the common explorer of a chain that this server knows, such as basescan.org, and no link for others',
      example: 'https://basescan.org',
      expected: 'an http(s) address without a slash at the end',
      accepts: isWebAddress,
    }),
  ),
  currency: Type.Optional(
    describeText({
      description: 'Symbol of the coin that fees are paid in on this chain.',
      consequence: 'Wallets show it when they add the chain.',
      whenEmpty: 'that of a chain that this server knows, and none for others',
      example: 'ETH',
      expected: '2 to 6 letters or digits',
      pattern: '^[A-Za-z0-9]{2,6}$',
    }),
  ),
  public_endpoint: Type.Optional(
    describeText({
      description:
        'JSON-RPC address that everybody may see. The checkout hands it to wallets that do not know the chain. This server does not ask it.',
      consequence: 'Everybody can read it, with any key in it. So it is never taken from rpc.',
      whenEmpty: 'people add the chain to their wallet by hand',
      example: 'https://mainnet.base.org',
      expected: 'an https address, which wallets insist on, or http on this machine',
      accepts: (text: string) => isEndpoint(text) && isSafeToSend(text),
    }),
  ),
})

export const chains = describeTables('^[a-z][a-z0-9-]{0,31}$', chain, {
  description: 'Blockchains that may be asked, each under a name of your choice.',
  consequence: 'Verifiers that need a chain are absent without one, and claims about other chains are refused.',
  expected: 'a name of a-z 0-9 and -, beginning with a letter',
  example: {
    base: {
      chain: 'eip155:8453',
      rpc: ['https://rpc.example.com/<key>', 'https://rpc2.example.com'],
      agree: 1,
      agree_counts: 'hosts',
      proofs: false,
      stale_after_seconds: 60,
      read_at: 'latest',
    },
  },
})
