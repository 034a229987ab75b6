/** How the server is, and what to do about it. */

import { callApi } from '../api.ts'
import { useAction } from '../load.ts'
import { model } from '../model.ts'
import { Command, Copy, Empty, Heading, Tag, Waiting } from '../parts.tsx'
import { Time, writeAge } from '../time.tsx'
import { count, formatBytes, formatDuration, formatMilliseconds, share } from './amounts.ts'
import {
  type Answer,
  type Condition,
  type Examination,
  type Finding,
  type Health as HealthData,
  operatorApi,
} from './answers.ts'
import { Loading, OperatorProblem, useOperator } from './frame.tsx'

const everyMs = 15_000

export function Health() {
  const loaded = useOperator<HealthData>('/health', everyMs)
  const probing = useAction(async () => {
    const { data } = await callApi<Answer<Examination>>('POST', `${operatorApi}/health/probe`)
    loaded.set((before) => ({ ...before, data: { ...before.data, examination: data } }))
  })
  const health = loaded.data?.data
  return (
    <>
      <Heading
        title="Health"
        lead={health && `Proofgate ${health.version}, running for ${formatDuration(health.uptimeSeconds)}.`}
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

function State({ of: { status, database, conditions } }: { readonly of: HealthData }) {
  const isFailing = conditions.some(({ level }) => level === 'failing')
  return (
    <>
      {status === 'ok' && (
        <p class="state-line" role="status">
          <Tag kind="good">Works</Tag> The database takes reads and writes.
        </p>
      )}
      {isFailing && (
        <div class="notice danger" role="alert">
          <p>
            <strong>This server cannot do its work.</strong> Health checks answer 503 until what fails below is over.
          </p>
        </div>
      )}
      {database.failure && !isFailing && (
        <div class="notice danger" role="alert">
          <p>
            <strong>The database does not take writes.</strong> {database.failure}.
          </p>
          <Command text={`${model.program} doctor`} label="Copy the command" />
        </div>
      )}
      {conditions.length > 0 && <Conditions of={conditions} />}
    </>
  )
}

function Conditions({ of: conditions }: { readonly of: readonly Condition[] }) {
  return (
    <section aria-labelledby="wrong">
      <h2 id="wrong">What is wrong now</h2>
      <ul class="findings">
        {conditions.map(({ name, level, says, mend, since, count: times }) => (
          <li key={name}>
            <p>
              <Tag kind={level === 'failing' ? 'bad' : 'warning'}>{level === 'failing' ? 'Fails' : 'Look at it'}</Tag>{' '}
              <bdi>{writeSentence(says)}</bdi>
            </p>
            <p class="quiet">
              Began <Time at={since} />
              {times > 1 && `, met ${count(times)} times`}. In the log: <code>{name}</code>
            </p>
            <p>
              <strong>What to do:</strong> {writeSentence(mend)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const writeSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function Figures({
  of: { database, disk, memory, counts, lastCommit, waitingMs, erasing, sweep },
}: {
  readonly of: HealthData
}) {
  return (
    <dl class="figures">
      <Figure name="Proofs" value={counts ? count(counts.proofs) : 'not known'} />
      <Figure name="Wallets with proofs" value={counts ? count(counts.accounts) : 'not known'} />
      <Figure
        name="Last write to the disk"
        value={lastCommit ? describeAge(lastCommit.ageMs) : 'none since the start'}
        more={
          waitingMs > 1000
            ? `one waits for ${formatMilliseconds(waitingMs)}`
            : lastCommit && (lastCommit.result === 'stored' ? 'stored' : 'failed')
        }
      />
      <Figure name="Database" value={formatBytes(database.bytes)} />
      <Figure name="Its write-ahead log" value={formatBytes(database.logBytes)} />
      <Figure
        name="Read for damage"
        value={database.checkedAt === null ? 'not yet since the start' : writeAge(database.checkedAt)}
      />
      <Figure
        name="Free on its disk"
        value={disk ? formatBytes(disk.freeBytes) : 'not known'}
        more={disk ? `${share(disk.freeBytes, disk.totalBytes)} of ${formatBytes(disk.totalBytes)}` : undefined}
      />
      <Figure name="Memory in use" value={formatBytes(memory.residentBytes)} />
      {erasing && erasing.erasures > 0 && <Figure name="Proofs left to erase" value={count(erasing.proofs)} />}
      {sweep.overdueSince !== null && (
        <Figure name="Oldest row to clear away" value={new Date(sweep.overdueSince).toISOString()} />
      )}
    </dl>
  )
}

/** A server that has nothing to store writes every ten seconds, to see whether it can. */
const describeAge = (ms: number): string => (ms < 1000 ? 'just now' : `${formatDuration(Math.floor(ms / 1000))} ago`)

function Figure({
  name,
  value,
  more,
}: {
  readonly name: string
  readonly value: string
  readonly more?: string | null | undefined
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
        Tried <Time at={at} />: {summarize(findings)}. The same at the command line: <code>{model.program} doctor</code>
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

function summarize(findings: readonly Finding[]): string {
  const failing = findings.filter(({ level }) => level === 'fail').length
  if (failing === 0) return findings.length === 1 ? 'it answers' : `all ${findings.length} answer`
  return `${failing} of ${findings.length} ${failing === 1 ? 'does' : 'do'} not answer as needed`
}
