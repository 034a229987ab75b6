/** The wallets of the person: the primary one, those it linked, and who linked it. */

import { useState } from 'preact/hooks'
import { walletLinkId } from '../../../../verifiers/roles.ts'
import { describeChain } from '../../../chain-words.ts'
import { linkedWallets as words } from '../../../words/en/account.ts'
import { Address } from '../address.tsx'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { ignoreGone, useFresh } from '../fresh.ts'
import { reloadLabels } from '../labels.ts'
import { useLoad } from '../load.ts'
import { model, root, session } from '../model.ts'
import { Empty, Heading, Tag, Waiting } from '../parts.tsx'
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

const buildLinkAddress = (): string => {
  const way = new URL('verify', root)
  way.searchParams.set('preset', walletLinkId)
  way.searchParams.set('returnUrl', buildAddress('/wallets'))
  return way.href
}

export function Wallets() {
  const { data, error, reload, set } = useLoad<WalletsAnswer>(walletsPath)
  const [leaving, setLeaving] = useState<Linked>()
  useFresh(async () => {
    await Promise.all([reload(), reloadLabels()])
  })
  const unlink = async ({ account }: Linked) => {
    await ignoreGone(callApi('DELETE', `${walletsPath}/${encodeURIComponent(account)}`))
    // By its own session it has signed itself out.
    if (session.isLinked) return location.assign(root.href)
    set(({ data: before }) => ({
      data: { ...before, linked: before.linked.filter((one) => one.account !== account) },
    }))
    toast(words.unlinked)
  }
  const wallets = data?.data
  return (
    <>
      <Heading title={words.title} lead={words.lead}>
        {wallets && wallets.linked.length > 0 && (
          <a class="button small" href={buildLinkAddress()}>
            {words.linkAnother}
          </a>
        )}
      </Heading>
      <Problem error={error} retry={reload} />
      {!data && !error && <Waiting what={words.loading} />}
      {wallets && (
        <>
          <ul class="list wallet-list" aria-label={words.list}>
            <li>
              <WalletText of={wallets.primary}>{words.primaryHint}</WalletText>
              <Tag kind="good">{words.primary}</Tag>
            </li>
            {wallets.linked.map((wallet) => (
              <LinkedRow key={wallet.account} wallet={wallet} onUnlink={() => setLeaving(wallet)} />
            ))}
          </ul>
          {wallets.linked.length === 0 && (
            <Empty title={words.noneTitle}>
              <p>{words.none}</p>
              <a class="button" href={buildLinkAddress()}>
                {words.link}
              </a>
            </Empty>
          )}
          {wallets.linkedBy.length > 0 && <LinkedBy links={wallets.linkedBy} />}
        </>
      )}
      {leaving && (
        <Confirm
          title={words.unlinkTitle}
          yes={words.unlinkYes}
          onYes={() => unlink(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            <Address value={leaving.address} whole />
          </p>
          <ul>
            <li>{words.proofRevoked}</li>
            {leaving.signsIn && <li>{words.noSignIn}</li>}
            {leaving.openSessions > 0 && <li>{words.sessionsEnd(leaving.openSessions)}</li>}
            {leaving.apps > 0 && <li>{words.appsEnd(leaving.apps)}</li>}
            {listEnding(leaving.endsWith).map((line) => (
              <li key={line}>{words.ends(line)}</li>
            ))}
            {session.isLinked && <li>{words.signedOut}</li>}
          </ul>
        </Confirm>
      )}
    </>
  )
}

function WalletText({
  of: { account, address, contractOn },
  children,
}: {
  readonly of: Account
  readonly children?: preact.ComponentChildren
}) {
  return (
    <div class="list-text">
      <strong class="wallet">
        <Address value={address} account={account} whole canLabel />
      </strong>
      {contractOn !== null && <span>{words.contractOn(describeChain(contractOn, model.chainNames))}</span>}
      <span>{children}</span>
    </div>
  )
}

const relationships: Readonly<Record<string, string>> = words.relationships

function LinkWords({ link: { label, linkedAt, qHash } }: { readonly link: Link }) {
  return (
    <>
      {label !== null && (
        <>
          <bdi>{label}</bdi> ·{' '}
        </>
      )}
      {words.linkedSince(<Time at={linkedAt} />)} · <a href={new URL(`proof/${qHash}`, root).href}>{words.proof}</a>
    </>
  )
}

function LinkedRow({ wallet, onUnlink }: { readonly wallet: Linked; onUnlink(): void }) {
  const isOwn = session.signedInWith === wallet.account
  return (
    <li>
      <WalletText of={wallet}>
        <LinkWords link={wallet} />
        {wallet.openSessions > 0 && ` · ${words.openSessions(wallet.openSessions)}`}
      </WalletText>
      <span class="scope-tags">
        <Tag>{relationships[wallet.relationship] ?? wallet.relationship}</Tag>
        {isOwn && <Tag kind="info">{words.here}</Tag>}
        {wallet.signsIn ? <Tag kind="good">{words.signsIn}</Tag> : <Tag>{words.signsInNot}</Tag>}
      </span>
      {(!session.isLinked || isOwn) && (
        <button
          type="button"
          class="button secondary small"
          aria-label={words.unlinkOne(wallet.address)}
          onClick={onUnlink}
        >
          {words.unlink}
        </button>
      )}
    </li>
  )
}

const LinkedBy = ({ links }: { readonly links: readonly Link[] }) => (
  <section>
    <h2>{words.others}</h2>
    <p class="quiet">{words.othersHint}</p>
    <ul class="list wallet-list" aria-label={words.others}>
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
