/** Shows the rate limits, the callers closest to them, and the callers that exceeded them. */
import { limits as words } from '../../../words/en/operator.ts'
import { Copyable } from '../address.tsx'
import { callApi } from '../api.ts'
import { useAction } from '../load.ts'
import { Empty, Heading, Tag } from '../parts.tsx'
import { TableFrame } from '../table-frame.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { count, formatBytes, formatDuration } from './amounts.ts'
import { type Limits as LimitsData, operatorApi, type Policy } from './answers.ts'
import { Loading, OperatorProblem, useOperator } from './frame.tsx'

const everyMs = 10_000

const namePolicy = (policy: string): string => words.policies[policy] ?? policy

export function Limits() {
  const loaded = useOperator<LimitsData>('/limits', everyMs)
  const forgetting = useAction(async (policy: string, key: string) => {
    await callApi('DELETE', `${operatorApi}/limits`, { query: { policy, key } })
    toast(words.forgotten)
    await loaded.reload()
  })
  const forget = (policy: string, key: string) => void forgetting.run(policy, key)
  return (
    <>
      <Heading title={words.title} lead={words.lead} />
      <OperatorProblem error={forgetting.error} />
      <Loading of={loaded} what={words.loading}>
        {({ enabled, policies }) =>
          enabled ? (
            <>
              <Refused policies={policies} onForget={forget} />
              <Busiest policies={policies} onForget={forget} />
              <Policies policies={policies} />
            </>
          ) : (
            <Empty title={words.off} command={enablingSetting} commandLabel={words.copySetting}>
              <p>{words.offLead}</p>
            </Empty>
          )
        }
      </Loading>
    </>
  )
}

const enablingSetting = '[limits]\nenabled = true'

interface Shown {
  readonly policies: readonly Policy[]
  onForget(policy: string, key: string): void
}

const writeAmount = ({ unit }: Policy, amount: number): string =>
  unit === 'bytes' ? formatBytes(amount) : count(amount)

const writeRate = (policy: Policy): string =>
  words.rate(writeAmount(policy, policy.count), formatDuration(policy.windowMs / 1000))

function Refused({ policies, onForget }: Shown) {
  const refused = policies
    .flatMap((policy) => policy.refused.map((one) => ({ ...one, policy: policy.policy })))
    .sort((one, other) => other.lastAt - one.lastAt)
  return (
    <section aria-labelledby="refused">
      <h2 id="refused">{words.refused}</h2>
      {refused.length === 0 ? (
        <p class="quiet">{words.noneRefused}</p>
      ) : (
        <ul class="list" aria-labelledby="refused">
          {refused.slice(0, mostShown).map(({ policy, key, times, lastAt }) => (
            <Bucket key={`${policy} ${key}`} policy={policy} of={key} onForget={onForget}>
              <Tag kind="bad">{words.times(times, count(times))}</Tag>
              {words.last(<Time at={lastAt} />)}
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
      <h2 id="busiest">{words.busiest}</h2>
      {busiest.length === 0 ? (
        <p class="quiet">{words.noneBusy}</p>
      ) : (
        <ul class="list" aria-labelledby="busiest">
          {busiest.slice(0, mostShown).map(({ policy, key, used, fullAt }) => (
            <Bucket key={`${policy.policy} ${key}`} policy={policy.policy} of={key} onForget={onForget}>
              <meter
                min={0}
                max={policy.count}
                high={policy.count * 0.8}
                value={used}
                aria-label={words.used(writeAmount(policy, used), writeAmount(policy, policy.count))}
              />{' '}
              {words.used(writeAmount(policy, used), writeAmount(policy, policy.count))}
              {words.full(<Time at={fullAt} />)}
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
          <Copyable text={key}>
            <bdi>{key}</bdi>
          </Copyable>
        </strong>
        <span>
          {namePolicy(policy)} · {children}
        </span>
      </div>
      <button
        type="button"
        class="button secondary small"
        aria-label={words.forgetOne(key, namePolicy(policy))}
        onClick={() => onForget(policy, key)}
      >
        {words.forget}
      </button>
    </li>
  )
}

function Policies({ policies }: Pick<Shown, 'policies'>) {
  return (
    <section aria-labelledby="policies">
      <h2 id="policies">{words.allowed}</h2>
      <TableFrame label={words.table}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.what}</th>
              <th scope="col">{words.limit}</th>
              <th scope="col">{words.each}</th>
              <th scope="col" class="number">
                {words.counted}
              </th>
            </tr>
          </thead>
          <tbody>
            {policies.map((policy) => (
              <tr key={policy.policy}>
                <th scope="row">
                  {namePolicy(policy.policy)}
                  <code class="quiet">{policy.setting}</code>
                </th>
                <td>{writeRate(policy)}</td>
                <td>{words.pers[policy.per] ?? policy.per}</td>
                <td class="number">{count(policy.keys)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      <p class="quiet">
        {words.hint} {words.change}
      </p>
    </section>
  )
}
