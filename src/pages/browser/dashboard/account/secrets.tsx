/** Secrets: they go in, are named by their alias, and never come out. */

import { useState } from 'preact/hooks'
import { secrets as words } from '../../../words/en/account.ts'
import { dashboard as shared } from '../../../words/en/dashboard.ts'
import { Address, Copyable } from '../address.tsx'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { ignoreGone, useFresh } from '../fresh.ts'
import { useLoad } from '../load.ts'
import { model, session } from '../model.ts'
import { Command, Empty, Heading, Tag, Waiting } from '../parts.tsx'
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

const byCommand = `curl -s ${model.baseUrl}${secretsPath} -H "Authorization: Bearer $KEY" -H 'content-type: application/json' \\
  -d '{"alias":"OPENAI_API_KEY","content":"${words.example}"}'`

export function Secrets() {
  const { data, error, reload, set } = useLoad<SecretsAnswer>(secretsPath)
  const [isAdding, setAdding] = useState(false)
  const [erasing, setErasing] = useState<Secret>()
  useFresh(reload)
  const secrets = data?.data.secrets ?? []
  const erase = async ({ id, alias }: Secret) => {
    const answer = await ignoreGone(callApi<Revoked>('DELETE', `${secretsPath}/${id}`))
    set(({ data: { secrets: before } }) => ({ data: { secrets: before.filter((one) => one.id !== id) } }))
    toast(`${words.erased(alias)}${answer?.data.traces.pending ? words.traces : ''}`)
  }
  return (
    <>
      <Heading title={words.title} lead={words.lead}>
        {!isAdding && secrets.length > 0 && (
          <button type="button" class="button small" onClick={() => setAdding(true)}>
            {words.add}
          </button>
        )}
      </Heading>
      {isAdding && (
        <SecretForm
          onKept={(secret) => {
            set(({ data: { secrets: before } }) => ({ data: { secrets: [secret, ...before] } }))
            setAdding(false)
            toast(words.sealed(secret.alias))
          }}
          onClose={() => setAdding(false)}
        />
      )}
      <Problem error={error} retry={reload} />
      {!data && !error && <Waiting what={words.loading} />}
      {data && secrets.length === 0 && !isAdding && (
        <Empty title={words.none}>
          <p>{words.noneText(<code>OPENAI_API_KEY</code>)}</p>
          <button type="button" class="button" onClick={() => setAdding(true)}>
            {words.add}
          </button>
          <p class="quiet or">{words.byProgram}</p>
          <Command text={byCommand} label={shared.copyCommand} />
        </Empty>
      )}
      {secrets.length > 0 && (
        <ul class="list" aria-label={words.title}>
          {secrets.map((secret) => (
            <li key={secret.id}>
              <div class="list-text">
                <strong>
                  <Copyable text={secret.alias} />
                </strong>
                <span>
                  {words.sealedSince(<Time at={secret.createdAt} />)}
                  {secret.walletAddress !== session.accounts[0]!.wallet &&
                    words.forWallet(<Address value={secret.walletAddress} />)}
                </span>
              </div>
              <Tag>{secret.type === 'bundle' ? words.several : words.one}</Tag>
              <button
                type="button"
                class="button secondary small"
                aria-label={words.eraseOne(secret.alias)}
                onClick={() => setErasing(secret)}
              >
                {words.erase}
              </button>
            </li>
          ))}
        </ul>
      )}
      {erasing && (
        <Confirm
          title={words.eraseTitle(erasing.alias)}
          yes={words.eraseYes}
          onYes={() => erase(erasing)}
          onClose={() => setErasing(undefined)}
        >
          <p>{words.eraseEffect}</p>
        </Confirm>
      )}
    </>
  )
}
