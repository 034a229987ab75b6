/** One operation to read: what it does, who may call it, what it takes, what it answers. */
import { CopyCode } from './copy-code.tsx'
import { type Answer, type Caller, type Description, findNewer, type Operation, type Parameter } from './description.ts'
import { JsonText } from './json-view.tsx'
import { Method, markProse, Path, Prose } from './prose.tsx'
import { Fold, Member, SchemaView } from './schema-view.tsx'

interface OperationProps {
  readonly operation: Operation
  readonly description: Description
}

export function OperationHead({ operation, description }: OperationProps) {
  const { method, path, summary, isOlder } = operation
  const newer = findNewer(operation, description)
  return (
    <header class="operation-head">
      <h1 id="operation-title" tabIndex={-1}>
        {summary}
      </h1>
      <p class="operation-path">
        <Method method={method} />
        <code>
          <Path path={path} />
        </code>
      </p>
      {isOlder && (
        <p class="notice warning">
          An older path, kept for clients that know it.
          {newer && (
            <>
              {' '}
              New ones use{' '}
              <a href={`#${newer.id}`}>
                {newer.method} {newer.path}
              </a>
              .
            </>
          )}
        </p>
      )}
      <Prose text={operation.description} />
      <p class="to-try">
        <button type="button" class="button secondary" onClick={goToTry}>
          Try it
        </button>
      </p>
    </header>
  )
}

/** Not by a link: the address says which operation is shown, and goes on saying it. */
function goToTry(): void {
  const title = document.getElementById('try-title')!
  title.scrollIntoView()
  title.focus()
}

export function OperationText({ operation, description }: OperationProps) {
  const { body, answers, callers } = operation
  const { schemas } = description
  const listParameters = (place: Parameter['in']) => operation.parameters.filter((one) => one.in === place)
  const owner = listParameters('header').filter(({ name }) => /^x-(wallet|sign|chain)/.test(name))
  const parameters = [
    ...listParameters('path'),
    ...listParameters('query'),
    ...listParameters('header').filter((one) => !owner.includes(one)),
  ]
  return (
    <div class="operation-text">
      <section aria-labelledby="callers-title">
        <h2 id="callers-title">Who may call it</h2>
        <ul class="callers">
          {callers.map((one) => (
            <li key={one}>{markProse(describeCaller(one, operation))}</li>
          ))}
        </ul>
      </section>
      {operation.parameters.length > 0 && (
        <section aria-labelledby="parameters-title">
          <h2 id="parameters-title">Parameters</h2>
          <Parameters parameters={parameters} schemas={schemas} />
          {owner.length > 0 && (
            <Fold title={`${owner.length} headers for the signature of an owner`}>
              <Parameters parameters={owner} schemas={schemas} />
            </Fold>
          )}
        </section>
      )}
      {body && (
        <section aria-labelledby="body-title">
          <h2 id="body-title">Body</h2>
          <SchemaView schema={body.schema} schemas={schemas} />
          {body.example !== undefined && (
            <Fold title="Example">
              <Example label="example of the body" value={body.example} />
            </Fold>
          )}
        </section>
      )}
      <section aria-labelledby="answers-title">
        <h2 id="answers-title">Answers</h2>
        {answers.map((answer) => (
          <AnswerText key={answer.status} answer={answer} schemas={schemas} />
        ))}
      </section>
    </div>
  )
}

function Parameters({ parameters, schemas }: { parameters: readonly Parameter[]; schemas: Description['schemas'] }) {
  if (parameters.length === 0) return null
  return (
    <ul class="members">
      {parameters.map(({ name, in: place, required, description, schema }) => (
        <Member
          key={`${place} ${name}`}
          name={name}
          place={place}
          isRequired={required}
          schema={description ? { ...schema, description } : schema}
          schemas={schemas}
        />
      ))}
    </ul>
  )
}

function AnswerText({ answer, schemas }: { readonly answer: Answer; readonly schemas: Description['schemas'] }) {
  const { status, description, headers, json, codes } = answer
  const title = (
    <span class="answer-title">
      <span class={`status status-${status[0]}`}>{status}</span>
      <span>
        {description}
        {codes.length > 0 && (
          <span class="codes">
            {codes.map((code) => (
              <code key={code}>{code}</code>
            ))}
          </span>
        )}
      </span>
    </span>
  )
  if (!json && headers.length === 0) return <p class="answer-alone">{title}</p>
  return (
    <Fold title={title} isOpen={status === '200'} class="fold answer">
      {headers.length > 0 && (
        <ul class="members">
          {headers.map(([name, text]) => (
            <li key={name} class="member">
              <div class="member-line">
                <code class="member-name">{name}</code> <span class="chip">header</span>
              </div>
              <p class="member-text">{markProse(text)}</p>
            </li>
          ))}
        </ul>
      )}
      {json?.example !== undefined && <Example label={`example of ${status}`} value={json.example} />}
      {json && (
        <Fold title="Members of the answer">
          <SchemaView schema={json.schema} schemas={schemas} />
        </Fold>
      )}
    </Fold>
  )
}

function Example({ label, value }: { readonly label: string; readonly value: unknown }) {
  const text = JSON.stringify(value, null, 2)
  return (
    <CopyCode label={label} text={text}>
      <JsonText text={text} />
    </CopyCode>
  )
}

function describeCaller(caller: Caller, { body, method }: Operation): string {
  if (caller === 'anyone') return 'Everybody. Nothing has to be sent along.'
  if (caller === 'session')
    return `Who is signed in here, in this browser${method === 'GET' ? '' : ', with the header `X-CSRF-Token`'}.`
  if (caller === 'access-key') return 'A program with an access key of the person: `Authorization: Bearer npk_…`.'
  const place = body?.schema.properties?.signature
    ? 'the members `signature` and `signedTimestamp` of the body'
    : 'the headers `x-wallet-address`, `x-signature` and `x-signed-timestamp`'
  return `The wallet it is about, by a signature in ${place}.`
}
