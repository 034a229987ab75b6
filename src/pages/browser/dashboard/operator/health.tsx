/** The health of the server, and what to do about its problems. */

import { dashboard as common } from '../../../words/en/dashboard.ts'
import { health as words } from '../../../words/en/operator.ts'
import { formatMoment } from '../../locale.ts'
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
  type JobRun,
  operatorApi,
  type Upgrade,
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
      <Heading title={words.title} lead={health && words.lead(health.version, formatDuration(health.uptimeSeconds))} />
      <Loading of={loaded} what={words.loading}>
        {(data) => (
          <>
            <State of={data} />
            <Figures of={data} />
            <Here of={data} />
            <Advice of={data} />
            <section aria-labelledby="outside">
              <header class="section-head">
                <h2 id="outside">{words.outside}</h2>
                <button
                  type="button"
                  class="button secondary small"
                  aria-disabled={probing.isBusy}
                  onClick={() => void probing.run()}
                >
                  {words.probe}
                </button>
              </header>
              <OperatorProblem error={probing.error} />
              {probing.isBusy && <Waiting what={words.probing} />}
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
          <Tag kind="good">{words.works}</Tag> {words.worksLead}
        </p>
      )}
      {isFailing && (
        <div class="notice danger" role="alert">
          <p>
            <strong>{words.failing}</strong> {words.failingLead}
          </p>
        </div>
      )}
      {database.failure && !isFailing && (
        <div class="notice danger" role="alert">
          <p>
            <strong>{words.readOnly}</strong> <span lang="en">{database.failure}.</span>
          </p>
          <Command text={`${model.program} doctor`} label={common.copyCommand} />
        </div>
      )}
      {conditions.length > 0 && <Conditions of={conditions} />}
    </>
  )
}

function Conditions({ of: conditions }: { readonly of: readonly Condition[] }) {
  return (
    <section aria-labelledby="wrong">
      <h2 id="wrong">{words.wrong}</h2>
      <ul class="findings">
        {conditions.map(({ name, level, says, mend, since, count: times }) => (
          <li key={name}>
            <p>
              <Tag kind={level === 'failing' ? 'bad' : 'warning'}>
                {level === 'failing' ? words.levels.fail : words.levels.warn}
              </Tag>{' '}
              <bdi lang="en">{writeSentence(says)}</bdi>
            </p>
            <p class="quiet">
              {words.began(<Time at={since} />)} {words.times(times, count(times))} {words.inLog} <code>{name}</code>
            </p>
            <p>
              <strong>{words.mend}</strong> <span lang="en">{writeSentence(mend)}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const writeSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function JobFigure({
  name,
  run,
  missing,
}: {
  readonly name: string
  readonly run: JobRun | null
  readonly missing: string
}) {
  const { figures } = words
  if (!run) return <Figure name={name} value={missing} state="missing" />
  const { endedAt, isGood, goodAt, isOverdue } = run
  const state = isGood ? (isOverdue ? 'overdue' : 'good') : 'failed'
  const lastGood = goodAt === null ? figures.neverGood : figures.lastGood(writeAge(goodAt))
  return <Figure name={name} value={writeAge(endedAt)} state={state} more={isGood ? undefined : lastGood} />
}

function UpgradeFigure({ run: { endedAt, isGood, from, to, tookMs } }: { readonly run: Upgrade }) {
  const { figures } = words
  const versions = to && (from ? figures.upgraded(from, to) : figures.firstVersion(to))
  const more = isGood ? versions && `${versions} (${formatMilliseconds(tookMs)})` : versions
  return <Figure name={figures.upgrade} value={writeAge(endedAt)} state={isGood ? 'good' : 'failed'} more={more} />
}

function Figures({
  of: { database, disk, memory, counts, lastCommit, waitingMs, erasing, sweep, jobs },
}: {
  readonly of: HealthData
}) {
  const { figures } = words
  return (
    <dl class="figures">
      <Figure name={figures.proofs} value={counts ? count(counts.proofs) : words.unknown} />
      <Figure name={figures.wallets} value={counts ? count(counts.accounts) : words.unknown} />
      <Figure
        name={figures.write}
        value={lastCommit ? describeAge(lastCommit.ageMs) : figures.noWrite}
        more={
          waitingMs > 1000
            ? figures.waits(formatMilliseconds(waitingMs))
            : lastCommit && (lastCommit.result === 'stored' ? figures.stored : figures.failed)
        }
      />
      <Figure name={figures.database} value={formatBytes(database.bytes)} />
      <Figure name={figures.log} value={formatBytes(database.logBytes)} />
      <Figure
        name={figures.checked}
        value={database.checkedAt === null ? figures.notChecked : writeAge(database.checkedAt)}
      />
      <Figure
        name={figures.disk}
        value={disk ? formatBytes(disk.freeBytes) : words.unknown}
        more={disk ? figures.ofDisk(share(disk.freeBytes, disk.totalBytes), formatBytes(disk.totalBytes)) : undefined}
      />
      <Figure name={figures.memory} value={formatBytes(memory.residentBytes)} />
      {jobs && (
        <>
          <JobFigure
            name={figures.backup}
            run={jobs.backup}
            missing={jobs.isScheduled ? figures.notYet : figures.noBackups}
          />
          <JobFigure
            name={figures.drill}
            run={jobs.drill}
            missing={jobs.isScheduled ? figures.notYet : figures.noBackups}
          />
        </>
      )}
      {jobs && jobs.behindMs !== null && (
        <Figure
          name={figures.continuous}
          value={jobs.behindMs < 1000 ? figures.upToDate : figures.behind(formatMilliseconds(jobs.behindMs))}
          state={jobs.behindMs < lateMs ? 'good' : 'late'}
        />
      )}
      {jobs?.upgrade && <UpgradeFigure run={jobs.upgrade} />}
      {erasing && erasing.erasures > 0 && <Figure name={figures.erasing} value={count(erasing.proofs)} />}
      {sweep.overdueSince !== null && <Figure name={figures.overdue} value={formatMoment(sweep.overdueSince)} />}
    </dl>
  )
}

/** As the condition continuous-behind. */
const lateMs = 10_000

/** A server that has nothing to store writes every ten seconds, to see whether it can. */
const describeAge = (ms: number): string =>
  ms < 1000 ? words.justNow : words.ago(formatDuration(Math.floor(ms / 1000)))

const stateKinds = { good: 'good', missing: 'warning', overdue: 'warning', late: 'warning', failed: 'bad' } as const

function Figure({
  name,
  value,
  state,
  more,
}: {
  readonly name: string
  readonly value: string
  readonly state?: keyof typeof stateKinds
  readonly more?: string | null | undefined
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value} {state && <Tag kind={stateKinds[state]}>{words.figures.states[state]}</Tag>}
        {more && <span class="quiet">{more}</span>}
      </dd>
    </div>
  )
}

function Advice({ of: { advice } }: { readonly of: HealthData }) {
  return (
    <section aria-labelledby="advice">
      <h2 id="advice">{words.advice}</h2>
      {advice.length === 0 ? (
        <p class="quiet">{words.noAdvice}</p>
      ) : (
        <ul class="findings">
          {advice.map(({ setting, says, example }) => (
            <li key={setting}>
              <p>
                <Tag kind="warning">{words.suggestion}</Tag> <span lang="en">{says}.</span>
              </p>
              <Command
                text={example ?? 'proofgate check-config'}
                label={example ? words.copyValue(setting) : common.copyCommand}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const kinds = { ok: 'good', warn: 'warning', fail: 'bad' } as const
const order = { fail: 0, warn: 1, ok: 2 } as const

function Findings({ of: examination }: { readonly of: Examination | null }) {
  if (!examination) return <p class="quiet">{words.notProbed}</p>
  const { at, findings } = examination
  if (findings.length === 0)
    return (
      <Empty title={words.nothing} command="proofgate check-config">
        <p>{words.nothingLead}</p>
      </Empty>
    )
  return (
    <>
      <p role="status" class="quiet">
        {words.probed(<Time at={at} />, summarize(findings))}
        <code>{model.program} doctor</code>
      </p>
      <FindingList of={findings} />
    </>
  )
}

function FindingList({ of: findings }: { readonly of: readonly Finding[] }) {
  const sorted = [...findings].sort((one, other) => order[one.level] - order[other.level])
  return (
    <ul class="findings">
      {sorted.map(({ setting, level, says, mend }) => (
        <li key={`${setting} ${says}`}>
          <p>
            <Tag kind={kinds[level]}>{words.levels[level]}</Tag> <code>{setting}</code>
          </p>
          <p>
            <bdi lang="en">{says}</bdi>
          </p>
          {mend && (
            <p class="mend">
              <span>
                <strong>{words.mend}</strong> <span lang="en">{mend}</span>
              </span>
              <CopyMend setting={setting} mend={mend} />
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The command that the remedy names, else the setting. */
function CopyMend({ setting, mend }: { readonly setting: string; readonly mend: string }) {
  const command = /\brun "(proofgate [^"]+)"/.exec(mend)?.[1]
  return command ? (
    <Copy text={command} label={common.copyCommand} />
  ) : (
    <Copy text={setting} label={words.copyName(setting)} />
  )
}

function Here({ of: { here } }: { readonly of: HealthData }) {
  return (
    <section aria-labelledby="here">
      <h2 id="here">{words.here}</h2>
      {here && here.length > 0 ? (
        <FindingList of={here} />
      ) : (
        <p class="quiet">{here ? words.nothingHere : words.unknown}</p>
      )}
    </section>
  )
}

function summarize(findings: readonly Finding[]): string {
  const failing = findings.filter(({ level }) => level === 'fail').length
  return failing === 0 ? words.allAnswer(findings.length) : words.someFail(failing, findings.length)
}
