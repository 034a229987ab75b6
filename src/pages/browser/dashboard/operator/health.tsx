/** How the server is, and what to do about it. */

import { api } from '../api.ts'
import { useAction } from '../load.ts'
import { model } from '../model.ts'
import { Command, Copy, Empty, Heading, Tag, Waiting } from '../parts.tsx'
import { Time } from '../time.tsx'
import { bytes, count, duration, share } from './amounts.ts'
import { type Answer, type Examination, type Finding, type Health as HealthData, operatorApi } from './answers.ts'
import { Loading, OperatorProblem, useOperator } from './frame.tsx'

const everyMs = 15_000

export function Health() {
  const loaded = useOperator<HealthData>('/health', everyMs)
  const probing = useAction(async () => {
    const { data } = await api<Answer<Examination>>('POST', `${operatorApi}/health/probe`)
    loaded.set((before) => ({ ...before, data: { ...before.data, examination: data } }))
  })
  const health = loaded.data?.data
  return (
    <>
      <Heading
        title="Health"
        lead={health && `Proofgate ${health.version}, running for ${duration(health.uptimeSeconds)}.`}
      />
      <Loading of={loaded} what="Looking at the server">
        {(data) => (
          <>
            <State of={data} />
            <Figures of={data} />
            <Advice of={data} />
            <section aria-labelledby="outside">
              <header class="section-head">
                <h2 id="outside">What this server asks outside</h2>
                <button
                  type="button"
                  class="button secondary small"
                  aria-disabled={probing.isBusy}
                  onClick={() => void probing.run()}
                >
                  Try everything now
                </button>
              </header>
              <OperatorProblem error={probing.error} />
              {probing.isBusy && <Waiting what="Trying everything outside" />}
              <Findings of={data.examination} />
            </section>
          </>
        )}
      </Loading>
    </>
  )
}

function State({ of: { status, database } }: { readonly of: HealthData }) {
  return status === 'ok' ? (
    <p class="state-line" role="status">
      <Tag kind="good">Works</Tag> The database takes reads and writes.
    </p>
  ) : (
    <div class="notice danger" role="alert">
      <p>
        <strong>The database does not take writes.</strong> {database.failure}.
      </p>
      <Command text={`${model.program} doctor`} label="Copy the command" />
    </div>
  )
}

function Figures({ of: { database, disk, memory, counts } }: { readonly of: HealthData }) {
  return (
    <dl class="figures">
      <Figure name="Proofs" value={count(counts.proofs)} />
      <Figure name="Wallets with proofs" value={count(counts.accounts)} />
      <Figure name="Database" value={bytes(database.bytes)} />
      <Figure name="Its write-ahead log" value={bytes(database.logBytes)} />
      <Figure
        name="Free on its disk"
        value={disk ? bytes(disk.freeBytes) : 'not known'}
        more={disk ? `${share(disk.freeBytes, disk.totalBytes)} of ${bytes(disk.totalBytes)}` : undefined}
      />
      <Figure name="Memory in use" value={bytes(memory.residentBytes)} />
    </dl>
  )
}

function Figure({
  name,
  value,
  more,
}: {
  readonly name: string
  readonly value: string
  readonly more?: string | undefined
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {more && <span class="quiet">{more}</span>}
      </dd>
    </div>
  )
}

function Advice({ of: { advice } }: { readonly of: HealthData }) {
  return (
    <section aria-labelledby="advice">
      <h2 id="advice">Worth a thought</h2>
      {advice.length === 0 ? (
        <p class="quiet">Nothing in the configuration looks as if it were not meant.</p>
      ) : (
        <ul class="findings">
          {advice.map(({ setting, says, example }) => (
            <li key={setting}>
              <p>
                <Tag kind="warning">Advice</Tag> {says}.
              </p>
              <Command
                text={example ?? 'proofgate check-config'}
                label={example ? `Copy a value for ${setting}` : 'Copy the command'}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const words = { ok: ['Answers', 'good'], warn: ['Look at it', 'warning'], fail: ['Fails', 'bad'] } as const
const order = { fail: 0, warn: 1, ok: 2 } as const

function Findings({ of: examination }: { readonly of: Examination | null }) {
  if (!examination)
    return (
      <p class="quiet">
        Not tried since the start. Trying calls each source of the configuration once, with a harmless question;
        providers may count it.
      </p>
    )
  const { at, findings } = examination
  if (findings.length === 0)
    return (
      <Empty title="Nothing outside is configured" command="proofgate check-config">
        <p>So nothing was called. What there is to configure, and what applies:</p>
      </Empty>
    )
  const sorted = [...findings].sort((one, other) => order[one.level] - order[other.level])
  return (
    <>
      <p role="status" class="quiet">
        Tried <Time at={at} />: {summaryOf(findings)}. The same at the command line: <code>{model.program} doctor</code>
      </p>
      <ul class="findings">
        {sorted.map(({ setting, level, says, mend }) => (
          <li key={`${setting} ${says}`}>
            <p>
              <Tag kind={words[level][1]}>{words[level][0]}</Tag> <code>{setting}</code>
            </p>
            <p>
              <bdi>{says}</bdi>
            </p>
            {mend && (
              <p class="mend">
                <span>
                  <strong>Mend:</strong> {mend}
                </span>
                <Copy text={setting} label={`Copy ${setting}`} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function summaryOf(findings: readonly Finding[]): string {
  const failing = findings.filter(({ level }) => level === 'fail').length
  if (failing === 0) return findings.length === 1 ? 'it answers' : `all ${findings.length} answer`
  return `${failing} of ${findings.length} ${failing === 1 ? 'does' : 'do'} not answer as needed`
}
