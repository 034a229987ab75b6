/** Secrets: they go in, are named by their alias, and never come out. */

import { useState } from 'preact/hooks'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { ignoreGone, useFresh } from '../fresh.ts'
import { useLoad } from '../load.ts'
import { model, session } from '../model.ts'
import { Address, Command, Empty, Heading, Tag, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { type Secret, secretsPath } from './secret.ts'
import { SecretForm } from './secret-form.tsx'

interface SecretsAnswer {
  readonly data: { readonly secrets: readonly Secret[] }
}

interface Revoked {
  readonly data: { readonly traces: { readonly pending: boolean } }
}

const tracesLeft =
  ' What was sealed may still stand in the log of the database. The server empties the log by itself as soon as it can.'

const byCommand = `curl -s ${model.baseUrl}${secretsPath} -H "Authorization: Bearer $KEY" -H 'content-type: application/json' \\
  -d '{"alias":"OPENAI_API_KEY","content":"what your agent needs"}'`

export function Secrets() {
  const { data, error, reload, set } = useLoad<SecretsAnswer>(secretsPath)
  const [isAdding, setAdding] = useState(false)
  const [erasing, setErasing] = useState<Secret>()
  useFresh(reload)
  const secrets = data?.data.secrets ?? []
  const erase = async ({ id, alias }: Secret) => {
    const answer = await ignoreGone(callApi<Revoked>('DELETE', `${secretsPath}/${id}`))
    set(({ data: { secrets: before } }) => ({ data: { secrets: before.filter((one) => one.id !== id) } }))
    toast(`${alias} is erased.${answer?.data.traces.pending ? tracesLeft : ''}`)
  }
  return (
    <>
      <Heading
        title="Secrets"
        lead="Keys and passwords that your agents need. They are sealed on this server; nobody can read them back, you neither."
      >
        {!isAdding && secrets.length > 0 && (
          <button type="button" class="button small" onClick={() => setAdding(true)}>
            Add a secret
          </button>
        )}
      </Heading>
      {isAdding && (
        <SecretForm
          onKept={(secret) => {
            set(({ data: { secrets: before } }) => ({ data: { secrets: [secret, ...before] } }))
            setAdding(false)
            toast(`${secret.alias} is sealed.`)
          }}
          onClose={() => setAdding(false)}
        />
      )}
      <Problem error={error} retry={reload} />
      {!data && !error && <Waiting what="Loading the secrets" />}
      {data && secrets.length === 0 && !isAdding && (
        <Empty title="There is no secret yet">
          <p>
            Give a secret an alias, such as <code>OPENAI_API_KEY</code>. Agents that you let in refer to it by that
            name, and never see what is in it here.
          </p>
          <button type="button" class="button" onClick={() => setAdding(true)}>
            Add a secret
          </button>
          <p class="quiet or">Or from a program, with an access key that may store secrets:</p>
          <Command text={byCommand} label="Copy the command" />
        </Empty>
      )}
      {secrets.length > 0 && (
        <ul class="list" aria-label="Secrets">
          {secrets.map((secret) => (
            <li key={secret.id}>
              <div class="list-text">
                <strong>
                  <code>{secret.alias}</code>
                </strong>
                <span>
                  sealed <Time at={secret.createdAt} />
                  {secret.walletAddress !== session.accounts[0]!.wallet && (
                    <>
                      {' '}
                      for <Address value={secret.walletAddress} />
                    </>
                  )}
                </span>
              </div>
              <Tag>{secret.type === 'bundle' ? 'several values' : 'one value'}</Tag>
              <button
                type="button"
                class="button secondary small"
                aria-label={`Erase ${secret.alias}`}
                onClick={() => setErasing(secret)}
              >
                Erase
              </button>
            </li>
          ))}
        </ul>
      )}
      {erasing && (
        <Confirm
          title={`Erase ${erasing.alias}?`}
          yes="Erase the secret"
          onYes={() => erase(erasing)}
          onClose={() => setErasing(undefined)}
        >
          <p>What is sealed in it is gone for you and everybody else, and whatever uses it stops working.</p>
        </Confirm>
      )}
    </>
  )
}
