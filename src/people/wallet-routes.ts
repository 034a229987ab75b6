/** /api/v1/profile/wallets: the wallets of who is signed in. */
import { Type } from '@sinclair/typebox'
import { EndsWithView } from '../auth/ends-with.ts'
import { requirePerson, requireSession } from '../auth/identify.ts'
import type { Account } from '../auth/identity.ts'
import { makeClearedCookie } from '../auth/sessions/session.ts'
import { describeAnswer } from '../http/describe.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { addressMaxLength, writeAccount } from '../wallet/account.ts'
import { peopleExamples } from './examples.ts'
import { type LinkedBy, type LinkedWallet, readWallets, unlinkWallet } from './wallets.ts'

const tag = 'profile'

const accountMembers = {
  account: Type.String({ description: 'Names it in requests: the address, or CAIP-10 of a contract wallet.' }),
  address: Type.String(),
  contractOn: Type.Union([Type.String(), Type.Null()], {
    description: 'CAIP-2 chain on which this is a contract wallet; null for keys.',
  }),
}
const linkMembers = {
  relationship: Type.String({ description: 'As the wallet that linked it signed it.' }),
  label: Type.Union([Type.String(), Type.Null()], { description: 'As the wallet that linked it wrote it.' }),
  linkedAt: Type.Integer({ description: 'Unix milliseconds.' }),
  qHash: Type.String({ description: 'The wallet-link proof.' }),
}

const walletsAnswer = describeAnswer({
  data: Type.Object({
    primary: Type.Object(accountMembers),
    linked: Type.Array(
      Type.Object({
        ...accountMembers,
        ...linkMembers,
        signsIn: Type.Boolean({ description: 'Whether signing in with it opens this profile.' }),
        openSessions: Type.Integer({ description: 'Its open sessions, which would end with the link.' }),
        apps: Type.Integer({ description: 'The apps it connected, which would end with the link.' }),
        endsWith: EndsWithView,
      }),
      { description: 'Wallets that the primary one has linked to itself, the oldest link first.' },
    ),
    linkedBy: Type.Array(Type.Object({ ...accountMembers, ...linkMembers }), {
      description: 'Wallets that have linked the primary one to themselves; only they can take that back.',
    }),
  }),
})

const unlinkedAnswer = describeAnswer({
  data: Type.Object({
    account: accountMembers.account,
    linked: Type.Literal(false),
    revoked: Type.Array(Type.String(), { description: 'The wallet-link proofs that were revoked.' }),
    endedSessions: Type.Integer({ description: 'Sessions of the wallet that ended with them.' }),
    endedApps: Type.Integer({ description: 'What it had allowed to apps, and that ended with them.' }),
  }),
})

const WalletParams = Type.Object({
  account: Type.String({
    minLength: 1,
    maxLength: addressMaxLength + 80,
    description: 'account of the list, percent-encoded.',
  }),
})

const makeAccountView = (account: Account) => ({
  account: writeAccount(account),
  address: account.wallet,
  contractOn: account.contractOn ?? null,
})
const linkView = ({ relationship, label, linkedAt, qHash, ...account }: LinkedBy) => ({
  ...makeAccountView(account),
  relationship,
  label,
  linkedAt,
  qHash,
})
const makeLinkedView = ({ signsIn, openSessions, apps, endsWith, ...link }: LinkedWallet) => ({
  ...linkView(link),
  signsIn,
  openSessions,
  apps,
  endsWith,
})

export const walletRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'GET',
      path: '/api/v1/profile/wallets',
      callers: ['session', 'access-key'],
      needs: 'profile',
      surface: 'sessions',
      rate: 'reads',
      operation: {
        tag,
        operationId: 'listWallets',
        summary: 'Wallets of a person',
        description: 'For the session or an access key with the scope profile.',
        answer: walletsAnswer,
        refusals: [401, 403],
        example: peopleExamples.listWallets,
      },
    },
    async ({ request }) => {
      const { primary, linked, linkedBy } = await readWallets(parts, await requirePerson(parts, request))
      return {
        success: true,
        data: {
          primary: makeAccountView(primary),
          linked: linked.map(makeLinkedView),
          linkedBy: linkedBy.map(linkView),
        },
      }
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/api/v1/profile/wallets/:account',
      callers: ['session'],
      surface: 'sessions',
      params: WalletParams,
      rate: 'sessions',
      operation: {
        tag,
        operationId: 'unlinkWallet',
        summary: 'Unlink a wallet',
        description:
          'For a signed-in browser. Needs the header X-CSRF-Token. Revokes the wallet-link proofs that name the wallet, and with them ends its sessions, what it allowed to apps, and the delegations, agents and access grants that it made for other wallets of the person. A linked wallet may take itself out.',
        answer: unlinkedAnswer,
        refusals: [400, 401, 403, 404, 503],
        example: peopleExamples.unlinkWallet,
      },
    },
    async ({ params, request, set }) => {
      const session = await requireSession(parts, request)
      const { account, revoked, endedSessions, endedApps } = await unlinkWallet(parts, session, params.account)
      if (session.linkProof !== null) set.headers['set-cookie'] = makeClearedCookie(parts)
      return { success: true, data: { account, linked: false, revoked, endedSessions, endedApps } }
    },
  ),
]
