/** The catalog of this server: supported and unsupported verifiers, and the health of the providers that it asks. */

import { Empty, Heading, Tag } from '../parts.tsx'
import { Time } from '../time.tsx'
import { findWords } from '../verifier-words.ts'
import { count, share } from './amounts.ts'
import type { Catalog as CatalogData, Provider, Source } from './answers.ts'
import { Loading, useOperator } from './frame.tsx'

const everyMs = 15_000

const kinds: Readonly<Record<string, string>> = {
  chain: 'Chains',
  dns: 'DNS',
  risk: 'Wallet risk',
  moderation: 'Moderation',
  human: 'Proof of human',
  social: 'Sign-in at others',
  ipfs: 'IPFS',
  payment: 'Payment methods',
  publishing: 'Publishing on chains',
}

export function Catalog() {
  const loaded = useOperator<CatalogData>('/catalog', everyMs)
  return (
    <>
      <Heading title="Verifiers and providers" lead="What can be proven here, and whom this server asks for it." />
      <Loading of={loaded} what="Looking at the catalog">
        {({ verifiers, providers }) => (
          <>
            <Providers of={providers} />
            <section aria-labelledby="verifiers">
              <h2 id="verifiers">Verifiers</h2>
              <ul class="list" aria-labelledby="verifiers">
                {verifiers.map(({ id, enabled, access, why }) => (
                  <li key={id}>
                    <div class="list-text">
                      <strong>{findWords(id).title}</strong>
                      <span>
                        <code>{id}</code>
                        {why && <> · {why}</>}
                      </span>
                    </div>
                    {enabled ? (
                      <Tag kind="good">{access === 'key' ? 'With an access key' : 'Offered'}</Tag>
                    ) : (
                      <Tag>Not offered</Tag>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          </>
        )}
      </Loading>
    </>
  )
}

function Providers({ of: providers }: { readonly of: readonly Provider[] }) {
  const groups = Object.entries(kinds).flatMap(([kind, title]) => {
    const own = providers.filter((one) => one.kind === kind)
    return own.length === 0 ? [] : [{ kind, title, own }]
  })
  return (
    <section aria-labelledby="providers">
      <h2 id="providers">Providers</h2>
      {providers.every(({ kind }) => kind === 'payment' || kind === 'moderation') && (
        <Empty
          title="This server asks nobody yet"
          command={'[chains.base]\nchain = "eip155:8453"\nrpc = ["https://mainnet.base.org"]'}
          commandLabel="Copy the setting"
        >
          <p>With a chain it can prove tokens, NFTs and contracts. Add this to proofgate.toml, and restart:</p>
        </Empty>
      )}
      {groups.map(({ kind, title, own }) => (
        <div key={kind} class="provider-group">
          <h3>{title}</h3>
          <ul class="list" aria-label={title}>
            {own.map((provider) => (
              <li key={provider.name} class="provider">
                <div class="list-text">
                  <strong>
                    <bdi>{provider.name}</bdi>
                  </strong>
                  {provider.detail && <span>{provider.detail}</span>}
                  {provider.lacks && <span>Not offered: {provider.lacks}</span>}
                  {provider.sources.map((source) => (
                    <SourceLine key={source.setting} of={source} />
                  ))}
                </div>
                <ProviderTag of={provider} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

function SourceLine({ of: source }: { readonly of: Source }) {
  const { setting, lastSuccessAt, lastFailure, lastHour } = source
  return (
    <span class="source">
      <code>{setting}</code>
      {lastSuccessAt !== null && (
        <>
          {' '}
          · answered <Time at={lastSuccessAt} />
        </>
      )}
      {lastFailure && (
        <>
          {' '}
          · failed <Time at={lastFailure.at} />: <bdi>{lastFailure.happened}</bdi>
        </>
      )}
      {lastHour.calls > 0 && (
        <>
          {' '}
          · in the last hour {count(lastHour.calls)} {lastHour.calls === 1 ? 'call' : 'calls'},{' '}
          {lastHour.failures === 0
            ? 'none failed'
            : `${count(lastHour.failures)} failed (${share(lastHour.failures, lastHour.calls)})`}
        </>
      )}
    </span>
  )
}

/** Shows the worst state among the sources of a provider. */
function ProviderTag({ of: { lacks, sources } }: { readonly of: Provider }) {
  if (lacks) return <Tag>Not offered</Tag>
  if (sources.some(({ circuit }) => circuit === 'open')) return <Tag kind="bad">Left alone for now</Tag>
  if (sources.some(({ pausedUntil }) => pausedUntil !== null)) return <Tag kind="warning">Asked for silence</Tag>
  if (sources.some(({ circuit }) => circuit === 'half-open')) return <Tag kind="warning">Being tried</Tag>
  if (sources.some(failsNow)) return <Tag kind="bad">Failed last</Tag>
  if (sources.some(({ lastSuccessAt }) => lastSuccessAt !== null)) return <Tag kind="good">Answers</Tag>
  return <Tag>{sources.length === 0 ? 'Configured' : 'Not asked yet'}</Tag>
}

const failsNow = ({ lastSuccessAt, lastFailure }: Source): boolean =>
  lastFailure !== null && (lastSuccessAt === null || lastSuccessAt < lastFailure.at)
