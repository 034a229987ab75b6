/** /agent/{agentId}: who an agent is, who lets it act and who else says so, as its card says. It needs no script. */
import { type AgentCard, encodeWord, readAgentCard } from '../agents/card.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { defaultLanguage } from '../web/languages.ts'
import { isDigits } from './fact-lines.ts'
import { renderMoment } from './fact-markup.ts'
import { renderRefusalPage } from './refusal.ts'
import { type Html, html, type Inserted, renderHtmlPage, writeRoot } from './shell.ts'
import type { Made } from './unusable.ts'

export async function renderAgentPage(parts: Parts, request: Request, agentId: string): Promise<Made> {
  const { pathname, searchParams } = new URL(request.url)
  const agentWallet = searchParams.get('agentWallet') ?? undefined
  const frame = { path: pathname, host: new URL(parts.addresses().authUrl).host }
  try {
    const card = await readAgentCard(parts, { agentId, agentWallet })
    return {
      status: 200,
      page: await renderHtmlPage({
        ...frame,
        title: `${card.label} · Proofgate`,
        description: 'An agent, as its signed proofs on this Proofgate server describe it.',
        scripts: ['copy'],
        body: renderCard(card, { root: writeRoot(pathname), baseUrl: parts.addresses().baseUrl }),
      }),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'CONFLICT') {
      const wallets = error.details.agentWallets as readonly string[]
      return {
        status: 409,
        page: await renderHtmlPage({
          ...frame,
          title: 'Which agent? · Proofgate',
          body: renderChoice(agentId, wallets),
        }),
      }
    }
    const status = error.code === 'NOT_FOUND' ? 404 : 400
    return { status, page: await renderRefusalPage(error, { path: pathname, language: defaultLanguage }) }
  }
}

const renderFact = (name: string, value: Inserted): Html =>
  html`<div><dt>${name}</dt><dd${typeof value === 'string' && isDigits(value) && html` class="address"`}>${value}</dd></div>
`

function renderCard(card: AgentCard, { root, baseUrl }: { readonly root: string; readonly baseUrl: string }): Html {
  const { agentId, wallet, label, description, capabilities, skills, services, identityQHash } = card
  const cardUrl = `${baseUrl}/api/v1/agents/card/${encodeWord(agentId)}?agentWallet=${encodeWord(wallet)}`
  return html`<h1>${label}</h1>
<p class="notice">The wallet below signed all of this about its agent. The server checked the signature, and not whether it is true.</p>
${description !== null && html`<p class="lead">${description}</p>`}
<dl class="facts">${renderFact('Agent id', agentId)}${renderFact('Wallet', wallet)}${
    capabilities.length > 0 && renderFact('Says it can', capabilities.join(', '))
  }${skills.length > 0 && renderFact('Skills', skills.map(({ id, label: name }) => String(name ?? id)).join(', '))}${services.map(
    ({ name, endpoint }) => renderFact(`Service ${name}`, endpoint),
  )}</dl>
<p><a href="${root}proof/${identityQHash}">The proof of who it is</a></p>
${renderDelegations(card, root)}
<h2>For programs</h2>
<pre class="code" data-copy="Copy the command">curl '${cardUrl}'</pre>`
}

/** Delegations that the agent agreed to are listed apart from claims that anybody can make about it. */
function renderDelegations({ wallet, delegations, moreDelegations }: AgentCard, root: string): Html {
  const agreed = delegations.filter(({ agentAgreed }) => agentAgreed)
  const others = delegations.filter(({ agentAgreed }) => !agentAgreed)
  const show = ({ controllerWallet, agentAgreed, scope, expiresAt, qHash }: AgentCard['delegations'][number]) =>
    html`<dl class="facts">${renderFact('Wallet', controllerWallet)}${
      agentAgreed &&
      renderFact(
        'That is',
        controllerWallet === wallet
          ? 'the wallet of the agent itself'
          : 'a wallet that is linked to that of the agent: both signed it',
      )
    }${renderFact('For', scope)}${renderFact('Until', expiresAt === null ? 'it is revoked' : renderMoment(expiresAt))}</dl>
<p><a href="${root}proof/${qHash}">The proof of it</a></p>
`
  return html`${
    agreed.length > 0 &&
    html`<h2>Who lets it act</h2>
${agreed.map(show)}`
  }${
    others.length > 0 &&
    html`<h2>What others say</h2>
<p>Each of these wallets says that it lets the agent act, and anybody may say so. Nothing shows that the agent agreed, or that it belongs to them.</p>
${others.map(show)}`
  }${
    delegations.length === 0 &&
    html`<h2>Who lets it act</h2>
<p>Nobody says so in public.</p>`
  }${moreDelegations && html`<p>There may be more delegations than this page lists.</p>`}`
}

const renderChoice = (agentId: string, wallets: readonly string[]): Html => html`<h1>Which agent?</h1>
<p class="lead">Several wallets call their agent “${agentId}”, and anybody may. Open the one whose wallet you know.</p>
<ul>${wallets.map((wallet) => html`<li><a class="address" href="?agentWallet=${encodeWord(wallet)}">${wallet}</a></li>`)}</ul>`
