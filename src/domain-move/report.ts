/** What a move to other public addresses breaks, and what is left to do for the operator. */
import type { AppliedSetting } from '../config/check.ts'
import type { PublicAddresses } from '../config/public-addresses.ts'
import type { Affected } from './store.ts'

export interface Break {
  readonly what: string
  /** Of the database. Null where the server cannot know. */
  readonly count: number | null
  readonly title: string
  readonly says: string
}

export interface MoveReport {
  readonly from: PublicAddresses
  readonly to: PublicAddresses
  readonly breaks: readonly Break[]
  readonly tasks: readonly string[]
}

export interface Move {
  readonly from: PublicAddresses
  readonly to: PublicAddresses
  readonly affected: Affected
  readonly settings: readonly AppliedSetting[]
  /** End all sessions and connected apps. */
  readonly signsOut: boolean
}

export const reportMove = (move: Move): MoveReport => ({
  from: move.from,
  to: move.to,
  breaks: listBreaks(move).filter(({ count }) => count === null || count > 0),
  tasks: listTasks(move),
})

const link = 'Each link works with the new beginning, or where the old address redirects.'

function listBreaks({ from, to, affected, signsOut }: Move): Break[] {
  const isAuthMoved = from.authUrl !== to.authUrl
  const isBaseMoved = from.baseUrl !== to.baseUrl
  const isTokenMoved = isAuthMoved || from.mcpUrl !== to.mcpUrl
  const signIn: Break[] = [
    {
      what: 'sessions',
      count: affected.sessions,
      title: 'Signed-in browsers',
      says: `Their cookie belongs to ${new URL(from.authUrl).host}, so people sign in again.${signsOut ? ' All sessions end now.' : ''}`,
    },
    {
      what: 'shareLinks',
      count: affected.shareLinks,
      title: 'Share links',
      says: `They begin with ${from.authUrl}/shared. ${signsOut ? 'All of them end now: their owners make new ones.' : link}`,
    },
    {
      what: 'receipts',
      count: affected.receipts,
      title: 'Receipts',
      says: `Their pages begin with ${from.authUrl}/receipts/. ${link}`,
    },
    {
      what: 'gates',
      count: affected.gates,
      title: 'Gates',
      says: `Links, QR codes and buttons elsewhere name the old address. ${link}`,
    },
    {
      what: 'checkouts',
      count: affected.checkouts,
      title: 'Open card payments',
      says: 'They lead buyers back to the old address. What is paid is given all the same.',
    },
    {
      what: 'humanProofs',
      count: affected.humanProofs,
      title: 'Proofs of human',
      says: `They are bound to the name ${new URL(from.authUrl).hostname}, and stay good. A person who proves it again under the new name counts as another one.`,
    },
    {
      what: 'operatorLinks',
      count: affected.operatorLinks,
      title: 'One-time links for an operator',
      says: 'They end: "proofgate operator link" makes another.',
    },
  ]
  const tokens: Break[] = [
    {
      what: 'grants',
      count: affected.grants,
      title: `Connected apps and assistants (people: ${affected.grantingPeople})`,
      says: `Their tokens are of ${from.authUrl} for ${from.mcpUrl}/mcp, and are refused: people connect them again at ${to.mcpUrl}/mcp.${signsOut ? ' The grants end now, and with them what these apps were allowed to do.' : ''}`,
    },
    {
      what: 'signInsUnderWay',
      count: affected.signInsUnderWay,
      title: 'Apps that are being connected right now',
      says: 'People begin again.',
    },
  ]
  const base: Break[] = [
    {
      what: 'accessKeys',
      count: affected.accessKeys,
      title: 'Access keys',
      says: `They stay good, but the programs that hold them call ${from.baseUrl}: change it there. Most programs send no key along a redirect.`,
    },
    {
      what: 'quotes',
      count: affected.quotes,
      title: 'Open quotes',
      says: 'They name the old address. Buyers who are refused ask for another one.',
    },
    {
      what: 'proofs',
      count: affected.proofs,
      title: 'Proofs',
      says: `They stay good, with the same ids. Links begin with ${from.baseUrl}/api/v1/proofs/. ${link}`,
    },
    {
      what: 'gatesWithAddress',
      count: affected.gatesWithAddress,
      title: 'Gates that name the old address in their own text',
      says: 'Their owners change it.',
    },
    {
      what: 'signedTexts',
      count: null,
      title: 'Texts that were signed and not sent yet',
      says: `They name ${new URL(from.baseUrl).host} and are refused: people sign again.`,
    },
    {
      what: 'widgets',
      count: null,
      title: 'Pages of others that load the widget or the client from the old address',
      says: 'Their owners change it.',
    },
  ]
  return [...(isAuthMoved ? signIn : []), ...(isTokenMoved ? tokens : []), ...(isBaseMoved ? base : [])]
}

const movedSettings = ['base_url', 'auth_url', 'mcp_url']

function listTasks({ from, to, settings, signsOut }: Move): string[] {
  const newHosts = [...new Set(Object.values(to).map((url: string) => new URL(url).host))]
  const oldHosts = [...new Set(Object.values(from).map((url: string) => new URL(url).host))]
  const gone = oldHosts.filter((host) => !newHosts.includes(host))
  const webhooks = settings.flatMap(({ key, source }) =>
    source === 'default' ? [] : (/^payments\.(\w+)\.webhook_secret$/.exec(key)?.[1] ?? []),
  )
  const social = [...new Set(settings.flatMap(({ key }) => /^social\.([a-z0-9-]+)\.provider$/.exec(key)?.[1] ?? []))]
  const naming = settings.filter(
    ({ key, value }) => !movedSettings.includes(key) && gone.some((host) => value.includes(`//${host}`)),
  )
  return [
    ...(newHosts.length > 0 && gone.length > 0
      ? [`let DNS, certificate and proxy serve ${newHosts.join(', ')}: "proofgate doctor" tells whether they do`]
      : []),
    ...(gone.length > 0 && signsOut
      ? [
          `before somebody else gets ${gone.join(', ')}: make new access keys and revoke the old ("proofgate keys"), because programs go on sending theirs there`,
        ]
      : []),
    ...(gone.length > 0 && !signsOut
      ? [
          `keep ${gone.join(', ')}, and redirect each path of it to the new address (308): links and QR codes elsewhere live on`,
        ]
      : []),
    ...webhooks.map(
      (name) => `at the provider of payments.${name}, set the webhook to ${to.baseUrl}/api/v1/payments/${name}/webhook`,
    ),
    ...(from.authUrl === to.authUrl
      ? []
      : social.map(
          (name) => `at the provider of social.${name}, allow ${to.authUrl}/api/v1/auth/oauth/callback/${name}`,
        )),
    ...naming.map(({ key, source }) => `${key} (${source}) names the old address as well: change it`),
  ]
}
