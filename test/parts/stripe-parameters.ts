/** The parameters of a Checkout session as Stripe takes them: which there are, and what each may be. */

export interface ParameterFault {
  readonly message: string
  readonly code: string
  readonly param: string
}

const url = /^https?:\/\/[^\s]{1,2000}$/

/** Seconds. */
const shortest = 30 * 60
const longest = 24 * 60 * 60

/** Every parameter that this contract knows, with the values it takes. Everything else is unknown to it. */
const rules: readonly { readonly name: RegExp; readonly value: RegExp; readonly code?: string }[] = [
  { name: /^mode$/, value: /^payment$/ },
  { name: /^allowed_payment_method_types\[\d+\]$/, value: /^card$/ },
  { name: /^line_items\[0\]\[quantity\]$/, value: /^[1-9]\d{0,5}$/ },
  { name: /^line_items\[0\]\[price_data\]\[currency\]$/, value: /^usd$/ },
  { name: /^line_items\[0\]\[price_data\]\[unit_amount\]$/, value: /^\d{1,8}$/ },
  { name: /^line_items\[0\]\[price_data\]\[product_data\]\[name\]$/, value: /^[\s\S]{1,250}$/ },
  { name: /^adaptive_pricing\[enabled\]$/, value: /^(true|false)$/ },
  { name: /^client_reference_id$/, value: /^[\s\S]{1,200}$/ },
  { name: /^(payment_intent_data\[metadata\]|metadata)\[[^[\]]{1,40}\]$/, value: /^[\s\S]{1,500}$/ },
  { name: /^expires_at$/, value: /^\d{10}$/ },
  { name: /^(success|cancel)_url$/, value: url, code: 'url_invalid' },
]

const required = [
  'mode',
  'line_items[0][quantity]',
  'line_items[0][price_data][currency]',
  'line_items[0][price_data][unit_amount]',
  'line_items[0][price_data][product_data][name]',
  'success_url',
]

/** `now` in Unix seconds. */
export function parameterFault(params: URLSearchParams, now: number): ParameterFault | undefined {
  for (const [name, value] of params) {
    const rule = rules.find((one) => one.name.test(name))
    if (!rule) return { code: 'parameter_unknown', param: name, message: `Received unknown parameter: ${name}` }
    if (!rule.value.test(value))
      return { code: rule.code ?? 'parameter_invalid', param: name, message: `Invalid ${name}` }
  }
  const lacking = required.find((name) => !params.has(name))
  if (lacking !== undefined)
    return { code: 'parameter_missing', param: lacking, message: `Missing required param: ${lacking}.` }
  if (Number(params.get('line_items[0][price_data][unit_amount]')) < 50)
    return {
      code: 'amount_too_small',
      param: 'line_items[0][price_data][unit_amount]',
      message: 'The Checkout Session’s total amount must convert to at least 50 cents.',
    }
  const lasts = params.has('expires_at') ? Number(params.get('expires_at')) - now : longest
  if (lasts < shortest || lasts > longest)
    return {
      code: 'parameter_invalid',
      param: 'expires_at',
      message: 'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from creation.',
    }
  return undefined
}
