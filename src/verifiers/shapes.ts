/** Shapes that the data of several verifiers shares. */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { panelPolicies } from '../outside/panel.ts'
import { defineChoice } from '../shape.ts'
import { addressMaxLength, caip2Pattern, universalAddressPattern } from '../wallet/account.ts'

export const WalletAddress = Type.String({
  pattern: universalAddressPattern,
  maxLength: addressMaxLength,
  description: 'EVM address, base58 key or account name.',
})

export const Caip2 = Type.String({ pattern: caip2Pattern, maxLength: 80, description: 'CAIP-2 chain id.' })

/** CAIP-10: chain and address. */
export const AccountId = Type.String({
  maxLength: 220,
  pattern: '^[a-z0-9-]{3,8}:[a-zA-Z0-9._-]{1,64}:[-.%a-zA-Z0-9]{1,128}$',
})

export const Hash32 = Type.String({ pattern: '^0x[a-fA-F0-9]{64}$' })

export const describeText = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description ? { description } : {}) })

export const defineClosed = <Members extends Record<string, TSchema>>(members: Members, description?: string) =>
  Type.Object(members, { additionalProperties: false, ...(description ? { description } : {}) })

/** The judges of a claim, on the wire. */
export const Judges = Type.Object({
  kind: Type.Optional(Type.String({ description: 'Of ai-content-moderation: text or image.' })),
  asked: Type.Array(Type.String(), { description: 'Providers that the operator chose, in this order.' }),
  policy: defineChoice(
    panelPolicies,
    'all: each that can judge must answer. any: one answer is enough. fallback: the next when the one before could not be asked.',
  ),
  selectable: Type.Array(Type.String(), { description: 'Providers that data.provider may name in their place.' }),
})
export type Judges = Static<typeof Judges>

/** Evidence of an optional member: empty when the claim lacks it. */
export function keepPresent<T extends object>(members: T): { [Key in keyof T]: T[Key] } {
  const kept: Partial<T> = {}
  for (const name of Object.keys(members) as (keyof T)[]) if (members[name] !== undefined) kept[name] = members[name]
  return kept as { [Key in keyof T]: T[Key] }
}

export const Skill = defineClosed({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  label: Type.Optional(describeText(64)),
  version: Type.Optional(describeText(32)),
  provider: Type.Optional(describeText(64)),
  kind: Type.Optional(defineChoice(['native', 'integration', 'plugin', 'mcp', 'toolkit'])),
  configId: Type.Optional(describeText(128)),
  enabled: Type.Optional(Type.Boolean()),
})
