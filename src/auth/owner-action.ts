/**
 * The owner actions: the texts that a wallet signs to act on its own objects. One table lists the members of each
 * action, its routes, and whether the text must name this server. Messages, descriptions of routes and the guide follow
 * it. The member `audience` of the action is the host of `base_url`. A text that names a host is valid there only. A
 * text without one is valid at every server that accepts it.
 */

/**
 * `client`: existing clients build these texts without an audience (src/guides/wire.md, "Requests of existing
 * clients"). `reading`: gives no more than a reading text does. `change`: names the server.
 */
type AudienceRule = 'client' | 'reading' | 'change'

interface OwnerAction {
  /** Members of the data, besides `action` and `audience`. */
  readonly members: readonly string[]
  /** Members that are signed only if the request has them. */
  readonly optional?: readonly string[]
  readonly audience: AudienceRule
  /** Without a signature, only a browser signed in with the primary wallet may do it, and no access key. */
  readonly isForBrowser?: true
  /** Whether neither a session nor an access key may ask for it. */
  readonly needsSignature?: true
  /** The routes that take it. */
  readonly usedAt: readonly string[]
}

export const ownerActions = {
  access_private_proof: {
    members: ['qHash'],
    audience: 'client',
    usedAt: ['GET /api/v1/proofs/{qHash}', 'POST /api/v1/profile/gates/{gateId}/fulfill'],
  },
  access_private_proofs_by_wallet: {
    members: ['walletAddress'],
    audience: 'client',
    usedAt: ['GET /api/v1/proofs/by-wallet/{address}'],
  },
  gate_check_private_proofs: {
    members: ['walletAddress'],
    audience: 'client',
    usedAt: ['GET /api/v1/proofs/check', 'POST /api/v1/proofs/check'],
  },
  revoke_proof: {
    members: ['qHash'],
    audience: 'client',
    usedAt: ['POST /api/v1/proofs/revoke-self/{qHash}'],
  },
  set_proof_visibility: {
    members: ['qHash', 'visibility'],
    audience: 'change',
    needsSignature: true,
    usedAt: ['POST /api/v1/proofs/{qHash}/visibility'],
  },
  erase_all_proofs: {
    members: ['walletAddress'],
    audience: 'change',
    isForBrowser: true,
    usedAt: ['POST /api/v1/proofs/erase-all'],
  },
  grant_proof_access: {
    members: ['qHash', 'viewerWallet', 'expiresInSeconds'],
    optional: ['expiresInSeconds'],
    audience: 'change',
    usedAt: ['POST /api/v1/verification/access/grant'],
  },
  list_proof_access: {
    members: ['qHash'],
    audience: 'reading',
    usedAt: ['GET /api/v1/verification/access/{qHash}'],
  },
  withdraw_proof_access: {
    members: ['qHash', 'viewerWallet'],
    audience: 'change',
    usedAt: ['POST /api/v1/verification/access/withdraw'],
  },
  list_gates: {
    members: ['walletAddress'],
    audience: 'reading',
    usedAt: [
      'GET /api/v1/profile/gates',
      'GET /api/v1/profile/gates/{gateId}',
      'GET /api/v1/profile/gates/{gateId}/versions',
      'GET /api/v1/profile/gates/{gateId}/versions/{version}',
      'GET /api/v1/profile/gates/{gateId}/fulfillments',
      'GET /api/v1/profile/gates/{gateId}/totals',
      'GET /api/v1/profile/gates/{gateId}/guests',
      'GET /api/v1/profile/gates/{gateId}/appearance',
      'POST /api/v1/profile/gates/preview',
      'POST /api/v1/profile/gates/test',
      'GET /api/v1/profile/fulfillments',
      'GET /api/v1/profile/payments',
      'GET /api/v1/profile/payments/unmatched',
    ],
  },
  apply_gate: {
    members: ['gateId', 'digest'],
    audience: 'change',
    usedAt: ['POST /api/v1/profile/gates'],
  },
  rollback_gate: {
    members: ['gateId', 'version'],
    audience: 'change',
    usedAt: ['POST /api/v1/profile/gates/{gateId}/rollback'],
  },
  set_gate_status: {
    members: ['gateId', 'status'],
    audience: 'change',
    usedAt: ['POST /api/v1/profile/gates/{gateId}/status'],
  },
  archive_gate: {
    members: ['gateId', 'archived'],
    audience: 'change',
    usedAt: ['POST /api/v1/profile/gates/{gateId}/archive'],
  },
  delete_gate: {
    members: ['gateId'],
    audience: 'change',
    usedAt: ['DELETE /api/v1/profile/gates/{gateId}'],
  },
  set_gate_guests: {
    members: ['gateId', 'digest'],
    audience: 'change',
    usedAt: ['POST /api/v1/profile/gates/{gateId}/guests'],
  },
  set_gate_appearance: {
    members: ['gateId', 'digest'],
    audience: 'change',
    usedAt: ['POST /api/v1/profile/gates/{gateId}/appearance'],
  },
  take_gate_pass: {
    members: ['gateId'],
    audience: 'change',
    usedAt: ['POST /api/v1/profile/gates/{gateId}/pass'],
  },
  fulfill_gate: {
    members: ['gateId', 'qHash'],
    audience: 'reading',
    usedAt: ['POST /api/v1/profile/gates/{gateId}/fulfill'],
  },
  open_checkout: {
    members: ['gateId', 'qHash'],
    audience: 'reading',
    usedAt: ['POST /api/v1/payments/stripe/checkout'],
  },
  open_quote: {
    members: ['gateId', 'qHash'],
    audience: 'reading',
    usedAt: ['POST /api/v1/payments/quote'],
  },
  return_payment: {
    members: ['identity', 'transactionHash'],
    optional: ['transactionHash'],
    audience: 'change',
    usedAt: ['POST /api/v1/profile/payments/unmatched/returned'],
  },
} as const satisfies Readonly<Record<string, OwnerAction>>

export type OwnerActionName = keyof typeof ownerActions

export type RequiredAudience = 'changes' | 'all' | 'none'

export const isOwnerAction = (action: unknown): action is OwnerActionName =>
  typeof action === 'string' && Object.hasOwn(ownerActions, action)

/** The action that an owner signs for a route; undefined for one that takes no signature, or several actions. */
export function findOwnerAction(method: string, path: string): OwnerActionName | undefined {
  const place = `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
  const names = (Object.keys(ownerActions) as OwnerActionName[]).filter((name) =>
    (ownerActions[name].usedAt as readonly string[]).includes(place),
  )
  return names.length === 1 ? names[0] : undefined
}

export const needsSignature = (action: OwnerActionName): boolean => 'needsSignature' in ownerActions[action]

export const isForBrowser = (action: OwnerActionName): boolean => 'isForBrowser' in ownerActions[action]

/** An unlisted action counts as a change, so that a new one is safe by default. */
export function needsAudience(action: unknown, required: RequiredAudience): boolean {
  if (required === 'none') return false
  return required === 'all' || !isOwnerAction(action) || ownerActions[action].audience === 'change'
}

/** The audience of this server: the host, with its port unless that is the default. */
export const readAudience = ({ baseUrl }: { readonly baseUrl: string }): string => new URL(baseUrl).host

/**
 * The data of an action. Members that are unknown until the request is complete may be missing when the action is only
 * described.
 */
export type NeededAction = { readonly action: OwnerActionName } & Readonly<Record<string, unknown>>

type Rows = typeof ownerActions
type OptionalOf<Name extends OwnerActionName> = Rows[Name] extends { readonly optional: readonly (infer Member)[] }
  ? Member & string
  : never
type RequiredOf<Name extends OwnerActionName> = Exclude<Rows[Name]['members'][number], OptionalOf<Name>>
type MembersOf<Name extends OwnerActionName> = { readonly [Member in RequiredOf<Name>]: unknown } & {
  readonly [Member in OptionalOf<Name>]?: unknown
}

/** The data that is signed for an action. An optional member without a value is left out. */
export const makeAction = <Name extends OwnerActionName>(action: Name, members: MembersOf<Name>): NeededAction => ({
  action,
  ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
})

/** `{"action":"revoke_proof","qHash"}`, as descriptions write it. */
export const showAction = (action: OwnerActionName): string =>
  `{${[`"action":"${action}"`, ...ownerActions[action].members.map((member) => `"${member}"`)].join(',')}}`

const audienceWords: Readonly<Record<AudienceRule, string>> = {
  client: 'under `all`',
  reading: 'under `all`',
  change: 'under `changes` and `all`',
}

/** The table of the guide, as Markdown. */
export function writeActionTable(): string {
  const rows = Object.entries<OwnerAction>(ownerActions).map(([name, { members, optional, audience, usedAt }]) => {
    const told = members.map(
      (member) => `\`${member}\`${optional?.includes(member) ? ' where the request has it' : ''}`,
    )
    return [`\`${name}\``, told.join(', '), audienceWords[audience], usedAt.map((one) => `\`${one}\``).join('<br>')]
  })
  const head = ['Action', 'Members beside `action`', 'Names the server', 'Used at']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
