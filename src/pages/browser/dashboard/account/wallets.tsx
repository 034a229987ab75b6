/** The wallets of the person: the primary one, those it linked, and who linked it. */

import { useState } from 'preact/hooks'
import { walletLinkId } from '../../../../verifiers/roles.ts'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { ignoreGone, useFresh } from '../fresh.ts'
import { useLoad } from '../load.ts'
import { root, session } from '../model.ts'
import { Address, Copy, Empty, Heading, Tag, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { buildAddress } from '../route.ts'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { type EndsWith, listEnding } from './ends-with.tsx'

interface Account {
  /** Names it in requests. */
  readonly account: string
  readonly address: string
  readonly contractOn: string | null
}

interface Link extends Account {
  readonly relationship: string
  readonly label: string | null
  readonly linkedAt: number
  readonly qHash: string
}

interface Linked extends Link {
  readonly signsIn: boolean
  readonly openSessions: number
  readonly apps: number
  readonly endsWith: EndsWith
}

interface WalletsAnswer {
  readonly data: {
    readonly primary: Account
    readonly linked: readonly Linked[]
    readonly linkedBy: readonly Link[]
  }
}

const walletsPath = '/api/v1/profile/wallets'

/** The proof is the primary wallet's, and so it must be the first to be chosen there. */
const buildLinkAddress = (primary: string): string => {
  const way = new URL('verify', root)
  way.searchParams.set('preset', walletLinkId)
  way.searchParams.set('message', `First choose ${primary}, your primary wallet. Then choose the one to link to it.`)
  way.searchParams.set('returnUrl', buildAddress('/wallets'))
  return way.href
}

export function Wallets() {
  const { data, error, reload, set } = useLoad<WalletsAnswer>(walletsPath)
  const [leaving, setLeaving] = useState<Linked>()
  useFresh(reload)
  const unlink = async ({ account }: Linked) => {
    await ignoreGone(callApi('DELETE', `${walletsPath}/${encodeURIComponent(account)}`))
    // By its own session it has signed itself out.
    if (session.isLinked) return location.assign(root.href)
    set(({ data: before }) => ({
      data: { ...before, linked: before.linked.filter((one) => one.account !== account) },
    }))
    toast('The wallet is unlinked.')
  }
  const wallets = data?.data
  return (
    <>
      <Heading title="Wallets" lead="Wallets that belong together. Signed in here, you act for all of them.">
        {wallets && wallets.linked.length > 0 && (
          <a class="button small" href={buildLinkAddress(wallets.primary.address)}>
            Link another wallet
          </a>
        )}
      </Heading>
      <Problem error={error} retry={reload} />
      {!data && !error && <Waiting what="Loading the wallets" />}
      {wallets && (
        <>
          <ul class="list wallet-list" aria-label="Your wallets">
            <li>
              <WalletText of={wallets.primary}>Access keys, apps and secrets belong to it.</WalletText>
              <Tag kind="good">Primary</Tag>
              <Copy text={wallets.primary.address} label="Copy the address" />
            </li>
            {wallets.linked.map((wallet) => (
              <LinkedRow key={wallet.account} wallet={wallet} onUnlink={() => setLeaving(wallet)} />
            ))}
          </ul>
          {wallets.linked.length === 0 && (
            <Empty title="Link a second wallet">
              <p>
                Both wallets sign that they belong together. Then either signs in to this profile, and acts for both.
              </p>
              <a class="button" href={buildLinkAddress(wallets.primary.address)}>
                Link a wallet
              </a>
            </Empty>
          )}
          {wallets.linkedBy.length > 0 && <LinkedBy links={wallets.linkedBy} />}
        </>
      )}
      {leaving && (
        <Confirm
          title="Unlink this wallet?"
          yes="Unlink it"
          onYes={() => unlink(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            <Address value={leaving.address} whole />
          </p>
          <ul>
            <li>The proof of the link is revoked.</li>
            {leaving.signsIn && <li>It no longer signs in to this profile.</li>}
            {leaving.openSessions > 0 && (
              <li>{formatCount(leaving.openSessions, 'open session')} of it ends at once.</li>
            )}
            {leaving.apps > 0 && <li>{formatCount(leaving.apps, 'app')} that it connected is disconnected.</li>}
            {listEnding(leaving.endsWith).map((line) => (
              <li key={line}>Ends with it: {line}.</li>
            ))}
            {session.isLinked && <li>You are signed in with it, and will be signed out.</li>}
          </ul>
        </Confirm>
      )}
    </>
  )
}

const formatCount = (count: number, what: string): string => (count === 1 ? `One ${what}` : `Each of ${count} ${what}s`)

function WalletText({
  of: { address, contractOn },
  children,
}: {
  readonly of: Account
  readonly children?: preact.ComponentChildren
}) {
  return (
    <div class="list-text">
      <strong class="wallet">
        <Address value={address} whole />
      </strong>
      {contractOn !== null && <span>A contract wallet on {contractOn}. </span>}
      <span>{children}</span>
    </div>
  )
}

const relationships: Readonly<Record<string, string>> = {
  primary: 'Primary elsewhere',
  personal: 'Personal',
  org: 'Organization',
  affiliate: 'Affiliate',
  agent: 'Agent',
  linked: 'Linked',
}

function LinkWords({ link: { label, linkedAt, qHash } }: { readonly link: Link }) {
  return (
    <>
      {label !== null && (
        <>
          <bdi>{label}</bdi> ·{' '}
        </>
      )}
      linked <Time at={linkedAt} /> · <a href={new URL(`proof/${qHash}`, root).href}>the proof</a>
    </>
  )
}

function LinkedRow({ wallet, onUnlink }: { readonly wallet: Linked; onUnlink(): void }) {
  const isOwn = session.signedInWith === wallet.account
  return (
    <li>
      <WalletText of={wallet}>
        <LinkWords link={wallet} />
        {wallet.openSessions > 0 &&
          ` · ${wallet.openSessions === 1 ? 'one open session' : `${wallet.openSessions} open sessions`}`}
      </WalletText>
      <span class="scope-tags">
        <Tag>{relationships[wallet.relationship] ?? wallet.relationship}</Tag>
        {isOwn && <Tag kind="info">Signed in here</Tag>}
        {wallet.signsIn ? <Tag kind="good">Signs in as you</Tag> : <Tag>Does not sign in as you</Tag>}
      </span>
      {(!session.isLinked || isOwn) && (
        <button type="button" class="button secondary small" aria-label={`Unlink ${wallet.address}`} onClick={onUnlink}>
          Unlink
        </button>
      )}
    </li>
  )
}

const LinkedBy = ({ links }: { readonly links: readonly Link[] }) => (
  <section>
    <h2>Others that linked your primary wallet</h2>
    <p class="quiet">You signed these links as the second wallet. Only the wallet that made a link can take it back.</p>
    <ul class="list wallet-list" aria-label="Wallets that linked yours">
      {links.map((link) => (
        <li key={link.qHash}>
          <WalletText of={link}>
            <LinkWords link={link} />
          </WalletText>
          <Tag>{relationships[link.relationship] ?? link.relationship}</Tag>
        </li>
      ))}
    </ul>
  </section>
)
