/** Shows the rate limits, the callers closest to them, and the callers that exceeded them. */
import { callApi } from '../api.ts'
import { useAction } from '../load.ts'
import { Empty, Heading, Tag } from '../parts.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { count, formatDuration } from './amounts.ts'
import { type Limits as LimitsData, operatorApi, type Policy } from './answers.ts'
import { Loading, OperatorProblem, useOperator } from './frame.tsx'
import { TableFrame } from './table-frame.tsx'

const everyMs = 10_000

const words: Readonly<Record<string, string>> = {
  api: 'All requests',
  create: 'New proofs',
  reads: 'Reads and pages',
  prepare: 'Preparing a claim',
  owner: 'Actions of owners',
  sessions: 'Sign-in and account',
  token: 'OAuth tokens',
  register: 'OAuth registrations',
  mcp: 'MCP calls',
  health: 'Health checks',
}

export function Limits() {
  const loaded = useOperator<LimitsData>('/limits', everyMs)
  const forgetting = useAction(async (policy: string, key: string) => {
    await callApi('DELETE', `${operatorApi}/limits`, { query: { policy, key } })
    toast('It has its whole allowance back.')
    await loaded.reload()
  })
  const forget = (policy: string, key: string) => void forgetting.run(policy, key)
  return (
    <>
      <Heading
        title="Rate limits"
        lead="Counted in memory since the start; a restart gives everybody everything back."
      />
      <OperatorProblem error={forgetting.error} />
      <Loading of={loaded} what="Looking at the limits">
        {({ enabled, policies }) =>
          enabled ? (
            <>
              <Refused policies={policies} onForget={forget} />
              <Busiest policies={policies} onForget={forget} />
              <Policies policies={policies} />
            </>
          ) : (
            <Empty title="Nobody is limited" command="[limits]\nenabled = true" commandLabel="Copy the setting">
              <p>Rate limits are switched off: anybody may keep this server busy. To switch them on:</p>
            </Empty>
          )
        }
      </Loading>
    </>
  )
}

interface Shown {
  readonly policies: readonly Policy[]
  onForget(policy: string, key: string): void
}

const writeRate = ({ count: most, windowMs }: Policy): string => `${count(most)} in ${formatDuration(windowMs / 1000)}`

function Refused({ policies, onForget }: Shown) {
  const refused = policies
    .flatMap((policy) => policy.refused.map((one) => ({ ...one, policy: policy.policy })))
    .sort((one, other) => other.lastAt - one.lastAt)
  return (
    <section aria-labelledby="refused">
      <h2 id="refused">Refused lately</h2>
      {refused.length === 0 ? (
        <p class="quiet">Nobody was refused since the start.</p>
      ) : (
        <ul class="list" aria-labelledby="refused">
          {refused.slice(0, mostShown).map(({ policy, key, times, lastAt }) => (
            <Bucket key={`${policy} ${key}`} policy={policy} of={key} onForget={onForget}>
              <Tag kind="bad">{times === 1 ? 'once' : `${count(times)} times`}</Tag> last <Time at={lastAt} />
            </Bucket>
          ))}
        </ul>
      )}
    </section>
  )
}

const mostShown = 20

function Busiest({ policies, onForget }: Shown) {
  const busiest = policies
    .flatMap((policy) => policy.busiest.map((one) => ({ ...one, policy })))
    .sort((one, other) => other.used / other.policy.count - one.used / one.policy.count)
  return (
    <section aria-labelledby="busiest">
      <h2 id="busiest">Nearest to their end now</h2>
      {busiest.length === 0 ? (
        <p class="quiet">Everybody has the whole allowance.</p>
      ) : (
        <ul class="list" aria-labelledby="busiest">
          {busiest.slice(0, mostShown).map(({ policy, key, used, fullAt }) => (
            <Bucket key={`${policy.policy} ${key}`} policy={policy.policy} of={key} onForget={onForget}>
              <meter
                min={0}
                max={policy.count}
                high={policy.count * 0.8}
                value={used}
                aria-label={`${count(used)} of ${count(policy.count)} used`}
              />{' '}
              {count(used)} of {count(policy.count)} · whole again <Time at={fullAt} />
            </Bucket>
          ))}
        </ul>
      )}
    </section>
  )
}

function Bucket({
  policy,
  of: key,
  onForget,
  children,
}: {
  readonly policy: string
  readonly of: string
  onForget(policy: string, key: string): void
  readonly children: preact.ComponentChildren
}) {
  return (
    <li>
      <div class="list-text">
        <strong class="address">
          <bdi>{key}</bdi>
        </strong>
        <span>
          {words[policy] ?? policy} · {children}
        </span>
      </div>
      <button
        type="button"
        class="button secondary small"
        aria-label={`Forget ${key} at ${words[policy] ?? policy}`}
        onClick={() => onForget(policy, key)}
      >
        Forget
      </button>
    </li>
  )
}

function Policies({ policies }: Pick<Shown, 'policies'>) {
  return (
    <section aria-labelledby="policies">
      <h2 id="policies">What is allowed</h2>
      <TableFrame label="What is allowed, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Allowed</th>
              <th scope="col">For each</th>
              <th scope="col" class="number">
                Counted now
              </th>
            </tr>
          </thead>
          <tbody>
            {policies.map((policy) => (
              <tr key={policy.policy}>
                <th scope="row">
                  {words[policy.policy] ?? policy.policy}
                  <code class="quiet">limits.rates.{policy.policy}</code>
                </th>
                <td>{writeRate(policy)}</td>
                <td>{policy.per}</td>
                <td class="number">{count(policy.keys)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      <p class="quiet">
        All of an allowance may be used at once; it comes back evenly. To change one: <code>[limits.rates]</code> in
        proofgate.toml, and a restart.
      </p>
    </section>
  )
}
