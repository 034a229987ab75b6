/** The catalog of this server: supported and unsupported verifiers, and the health of the providers that it asks. */

import { limits, catalog as words } from '../../../words/en/operator.ts'
import { Empty, Heading, Tag } from '../parts.tsx'
import { Time } from '../time.tsx'
import { findWords } from '../verifier-words.ts'
import { count, share } from './amounts.ts'
import type { Catalog as CatalogData, Provider, Source } from './answers.ts'
import { Loading, useOperator } from './frame.tsx'

const everyMs = 15_000

export function Catalog() {
  const loaded = useOperator<CatalogData>('/catalog', everyMs)
  return (
    <>
      <Heading title={words.title} lead={words.lead} />
      <Loading of={loaded} what={words.loading}>
        {({ verifiers, providers }) => (
          <>
            <Providers of={providers} />
            <section aria-labelledby="verifiers">
              <h2 id="verifiers">{words.verifiers}</h2>
              <ul class="list" aria-labelledby="verifiers">
                {verifiers.map(({ id, enabled, access, switchedOff }) => (
                  <li key={id}>
                    <div class="list-text">
                      <strong>{findWords(id).title}</strong>
                      <span>
                        <code>{id}</code>
                        {!enabled && ` · ${describeAbsence(id, switchedOff)}`}
                      </span>
                    </div>
                    {enabled ? (
                      <Tag kind="good">{access === 'key' ? words.withKey : words.offered}</Tag>
                    ) : (
                      <Tag>{words.notOffered}</Tag>
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

function describeAbsence(id: string, isSwitchedOff: boolean): string {
  const { lacks } = findWords(id)
  return isSwitchedOff || !lacks ? words.switchedOff : `${lacks.what} ${lacks.remedy}`
}

function Providers({ of: providers }: { readonly of: readonly Provider[] }) {
  const groups = Object.entries(words.kinds).flatMap(([kind, title]) => {
    const own = providers.filter((one) => one.kind === kind)
    return own.length === 0 ? [] : [{ kind, title, own }]
  })
  return (
    <section aria-labelledby="providers">
      <h2 id="providers">{words.providers}</h2>
      {providers.every(({ kind }) => kind === 'payment' || kind === 'moderation') && (
        <Empty
          title={words.none}
          command={'[chains.base]\nchain = "eip155:8453"\nrpc = ["https://mainnet.base.org"]'}
          commandLabel={limits.copySetting}
        >
          <p>{words.noneLead}</p>
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
                  {provider.detail && <span lang="en">{provider.detail}</span>}
                  {provider.lacks && <span>{words.lacks(<span lang="en">{provider.lacks}</span>)}</span>}
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
      {lastSuccessAt !== null && words.answered(<Time at={lastSuccessAt} />)}
      {lastFailure && words.failed(<Time at={lastFailure.at} />, <bdi lang="en">{lastFailure.happened}</bdi>)}
      {lastHour.calls > 0 && ` · ${words.calls(lastHour.calls, count(lastHour.calls))}, ${describeFailures(lastHour)}`}
    </span>
  )
}

const describeFailures = ({ calls, failures }: Source['lastHour']): string =>
  failures === 0 ? words.noneFailed : words.someFailed(count(failures), share(failures, calls))

/** Shows the worst state among the sources of a provider. */
function ProviderTag({ of: { lacks, sources } }: { readonly of: Provider }) {
  const { states } = words
  if (lacks) return <Tag>{words.notOffered}</Tag>
  if (sources.some(({ circuit }) => circuit === 'open')) return <Tag kind="bad">{states.open}</Tag>
  if (sources.some(({ pausedUntil }) => pausedUntil !== null)) return <Tag kind="warning">{states.silent}</Tag>
  if (sources.some(({ circuit }) => circuit === 'half-open')) return <Tag kind="warning">{states.tried}</Tag>
  if (sources.some(failsNow)) return <Tag kind="bad">{states.failed}</Tag>
  if (sources.some(({ lastSuccessAt }) => lastSuccessAt !== null)) return <Tag kind="good">{states.answers}</Tag>
  return <Tag>{sources.length === 0 ? states.configured : states.unasked}</Tag>
}

const failsNow = ({ lastSuccessAt, lastFailure }: Source): boolean =>
  lastFailure !== null && (lastSuccessAt === null || lastSuccessAt < lastFailure.at)
