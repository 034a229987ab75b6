/** What a gate costs, and how it may be paid here. */
import { useEffect } from 'preact/hooks'
import { useLoad } from '../load.ts'
import { session } from '../model.ts'
import { Command } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { changed, type Finding, type Method, type Price } from './definition.ts'
import { SelectField, TextField, Tick } from './fields.tsx'
import { faultAt } from './preview.ts'

interface MethodsAnswer {
  readonly data: {
    readonly methods: readonly { readonly id: string; readonly enabled: boolean; readonly asset?: string }[]
  }
}

/** By the words of a definition, which are not those of the interface. */
const known: readonly (readonly [Method, string, string])[] = [
  ['stablecoin', 'usdc', 'Stablecoin'],
  ['card', 'stripe', 'Card'],
  ['x402', 'x402', 'x402, for programs'],
]

const setup = `[chains.base]
chain = "eip155:8453"
rpc = ["https://mainnet.base.org"]

[payments.stablecoin.usdc-base]
chain = "eip155:8453"
token = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
decimals = 6
symbol = "USDC"
confirmations = 3`

export function PriceForm({
  price,
  findings,
  onChange,
}: {
  readonly price: Price | undefined
  readonly findings: readonly Finding[]
  onChange(price: Price | undefined): void
}) {
  const loaded = useLoad<MethodsAnswer>('/api/v1/payments/methods')
  const here = loaded.data?.data.methods.filter(({ enabled }) => enabled)
  const offered = known.flatMap(([method, id, label]) => {
    const found = here?.find((one) => one.id === id)
    return found ? [{ method, label: found.asset ? `${label} (${found.asset})` : label }] : []
  })
  const all = offered.map(({ method }) => method)
  const wallet = session.accounts.find((one) => /^0x/.test(one.wallet))?.wallet
  const set = (changes: Partial<{ [Name in keyof Price]: Price[Name] | undefined }>) =>
    price && onChange(changed(price, changes))
  const isOnChain = price?.methods.some((method) => method !== 'card') ?? false
  const ways = { methods: all, ...(wallet && all.some((one) => one !== 'card') ? { recipient: wallet } : {}) }
  useEffect(() => {
    // Templates do not know what can be paid with here.
    if (price?.methods.length === 0 && all.length > 0) set(ways)
  }, [here !== undefined])

  return (
    <>
      <Tick
        label="It costs something"
        hint="Paid once by each who passes, to you and not through this server."
        checked={price !== undefined}
        onChange={(isPaid) => onChange(isPaid ? { amountUsd: '5', ...ways } : undefined)}
      />
      <Problem error={loaded.error} retry={() => void loaded.reload()} />
      {here !== undefined && offered.length === 0 && price && (
        <div class="notice warning">
          <p>
            This server takes no payments yet, so nobody could pass. Its operator sets up one of the ways in the
            configuration, a stablecoin for example, and starts it again:
          </p>
          <Command text={setup} />
        </div>
      )}
      {price && (
        <>
          <TextField
            label="Price in US dollars"
            value={price.amountUsd}
            maxLength={14}
            code
            error={faultAt(findings, 'price.amountUsd')}
            onChange={(amountUsd) => set({ amountUsd: amountUsd.trim().replace(',', '.') })}
          />
          {offered.length > 0 && (
            <fieldset>
              <legend>Ways to pay</legend>
              {offered.map(({ method, label }) => (
                <Tick
                  key={method}
                  label={label}
                  checked={price.methods.includes(method)}
                  onChange={(isOn) =>
                    set({
                      methods: all.filter((one) => (one === method ? isOn : price.methods.includes(one))),
                      ...(isOn && method !== 'card' && !price.recipient ? { recipient: wallet } : {}),
                    })
                  }
                />
              ))}
              {faultAt(findings, 'price.methods') && <p class="hint wrong">Choose at least one way to pay.</p>}
              {findings
                .filter(({ path }) => path.startsWith('price.methods['))
                .map(({ path, message }) => (
                  <p key={path} class="hint wrong">
                    {message}
                  </p>
                ))}
            </fieldset>
          )}
          {isOnChain && (
            <TextField
              label="Paid to"
              hint="Your address on the chain of the token. Look twice: what is sent there is gone."
              value={price.recipient ?? ''}
              maxLength={42}
              code
              error={faultAt(findings, 'price.recipient')}
              onChange={(recipient) => set({ recipient: recipient.trim() || undefined })}
            />
          )}
          <details>
            <summary>More about the price</summary>
            <div class="details-body">
              <TextField
                label="What the payment is for"
                optional
                maxLength={200}
                value={price.label ?? ''}
                error={faultAt(findings, 'price.label')}
                onChange={(label) => set({ label: label || undefined })}
              />
              <SelectField
                label="What is asked for first"
                value={price.executionOrder ?? 'verifyThenCharge'}
                options={[
                  ['verifyThenCharge', 'The proofs, then the payment'],
                  ['chargeThenVerify', 'The payment, then the proofs'],
                ]}
                onChange={(order) =>
                  set({ executionOrder: order === 'chargeThenVerify' ? 'chargeThenVerify' : undefined })
                }
              />
            </div>
          </details>
        </>
      )}
    </>
  )
}
