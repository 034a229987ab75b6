import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import { gateIdPattern } from '../../gates/gate.ts'
import { CheckWork } from '../../proofs/check-work.ts'
import type { Catalog } from '../../verifiers/index.ts'
import { defineClosed } from '../../verifiers/shapes.ts'
import { nameAccount } from '../../wallet/account.ts'
import { canSeePrivate, runCheck } from '../checked.ts'
import { selectNotOffered } from '../not-offered.ts'
import { defineTool, looksOnly } from '../tool.ts'
import { findOwn, requireNamed, WalletArgument } from '../wallets.ts'

export const VerifierIds = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 16 })

export const proofsCheck = defineTool({
  name: 'proofs_check',
  title: 'Whether a wallet may pass',
  description:
    'Checks stored proofs: whether a wallet has proofs of the named verifiers, or meets a gate. Answers yes or no with counts and changes nothing. Without wallet it is about the person who is signed in, whose private proofs count too; of other wallets only public proofs count. Of a gate only gate.allRequiredSatisfied says that somebody may be let in.',
  input: defineClosed({
    wallet: WalletArgument('The wallet to check; the primary wallet of the person by default.'),
    verifiers: Type.Optional(VerifierIds),
    requireAll: Type.Optional(Type.Boolean({ description: 'One proof must hold all of verifiers. Default false.' })),
    minCount: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'So many different claims must match. Default 1.' }),
    ),
    gateId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 80, pattern: gateIdPattern, description: 'A gate to check.' }),
    ),
    handle: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'Handle or pseudonym to match.' })),
    namespace: Type.Optional(
      Type.String({ pattern: '^[a-z0-9._-]{1,64}$', description: 'Namespace of the pseudonym to match.' }),
    ),
  }),
  output: Type.Object({
    success: Type.Literal(true),
    eligible: Type.Boolean(),
    matchedCount: Type.Integer(),
    matchedQHashes: Type.Array(Type.String()),
    final: Type.Optional(
      Type.Boolean({ description: 'Of matches read from a chain: whether their blocks can no longer be replaced.' }),
    ),
    wallet: Type.String(),
    results: Type.Array(
      Type.Object({ verifierId: Type.String(), verified: Type.Boolean(), matchedCount: Type.Integer() }),
      { description: 'The verifiers one by one.' },
    ),
    gate: Type.Optional(
      Type.Object({
        gateId: Type.String(),
        allRequiredSatisfied: Type.Boolean(),
        satisfiedVerifierIds: Type.Array(Type.String()),
        missingVerifierIds: Type.Array(Type.String()),
        state: Type.String({ description: 'open, paused, not_started or ended.' }),
      }),
    ),
    complete: Type.Boolean({ description: 'False when there are more proofs than were looked at.' }),
    privateProofsCounted: Type.Boolean(),
    hint: Type.Optional(Type.String()),
  }),
  annotations: looksOnly,
  needs: [],

  async run(
    { wallet: named, verifiers, requireAll, minCount, gateId, handle, namespace },
    { parts, identity, toolName },
  ) {
    if (!verifiers && !gateId && !handle && !namespace)
      throw new AppError('VALIDATION_ERROR', 'the check has no criteria: give verifiers, gateId or handle', {
        argument: 'verifiers',
      })
    const account =
      named === undefined
        ? nameAccount(identity.profile.primary, parts.config.signing.hubChainId)
        : requireNamed(named, 'wallet', parts)
    const { wallet } = account
    const matching = {
      ...(handle === undefined ? {} : { handle }),
      ...(namespace === undefined ? {} : { namespace }),
    }
    const work = new CheckWork()
    const answer = await runCheck(
      identity,
      account,
      {
        ...matching,
        ...(verifiers ? { verifierIds: verifiers } : {}),
        ...(requireAll ? { requireAll } : {}),
        ...(minCount === undefined ? {} : { minCount }),
        ...(gateId === undefined ? {} : { gateId }),
      },
      parts,
      work,
    )
    const results = await Promise.all(
      [...new Set(verifiers ?? [])].map(async (verifierId) => {
        const asked = { ...matching, verifierIds: [verifierId] }
        const { eligible, matchedCount } = await runCheck(identity, account, asked, parts, work)
        return { verifierId, verified: eligible, matchedCount }
      }),
    )
    const isPrivate = await canSeePrivate(identity, account)
    const missing = [
      ...results.filter(({ verified }) => !verified).map(({ verifierId }) => verifierId),
      ...(answer.gate?.missingVerifierIds ?? []),
    ]
    const lacking = selectNotOffered(missing, parts.catalog)
    return {
      success: true as const,
      eligible: answer.eligible,
      matchedCount: answer.matchedCount,
      matchedQHashes: answer.matchedQHashes,
      ...(answer.final === undefined ? {} : { final: answer.final }),
      wallet,
      results,
      ...(answer.gate ? { gate: showGate(answer.gate) } : {}),
      complete: answer.complete && !work.wasStopped,
      privateProofsCounted: isPrivate,
      ...(answer.eligible
        ? {}
        : {
            hint:
              lacking.length > 0
                ? writeUnsupportedHint(lacking, parts.catalog)
                : writeHint(isPrivate, (await findOwn(identity, account)) !== undefined, toolName('verify_or_guide')),
          }),
    }
  },
})

const showGate = ({
  gateId,
  allRequiredSatisfied,
  satisfiedVerifierIds,
  missingVerifierIds,
  state,
}: {
  gateId: string
  allRequiredSatisfied: boolean
  satisfiedVerifierIds: string[]
  missingVerifierIds: string[]
  state: string
}) => ({ gateId, allRequiredSatisfied, satisfiedVerifierIds, missingVerifierIds, state })

const writeUnsupportedHint = (lacking: readonly string[], { absence }: Catalog): string =>
  `New proofs of ${lacking.join(', ')} cannot be made on this server. Tell the person what its operator would have to set: ${lacking.map(absence).join('. ')}.`

function writeHint(isPrivate: boolean, isOwn: boolean, guide: string): string {
  if (!isOwn)
    return 'Only public proofs of this wallet were looked at, because it is not one of the person who is signed in.'
  return isPrivate
    ? `Call ${guide} with the missing verifiers to find out how to get them.`
    : 'Private proofs did not count, because the profile scope was not granted.'
}
