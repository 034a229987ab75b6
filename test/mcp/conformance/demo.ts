/**
 * A server with the tools, resources and prompts that the MCP conformance suite expects, on the real transport. It
 * tests transport.ts also with protocol features that Proofgate does not need.
 */
import { createHmac } from 'node:crypto'
import type { MakeServer } from '../../../src/mcp/transport.ts'

/** One red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
/** No sound at all. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (words: string) => ({ type: 'text', text: words })
const image = { type: 'image', data: png, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
})

const elicit = (message: string, name: string, type = 'string') => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] } },
})
const sample = (words: string) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(words) }], maxTokens: 100 },
})
const roots = { method: 'roots/list', params: {} }

const needed = (inputRequests: object, state?: string) => ({
  resultType: 'input_required',
  inputRequests,
  ...(state === undefined ? {} : { requestState: sealed(state) }),
})

const sealed = (state: string): string => `${state}.${createHmac('sha256', 'demo').update(state).digest('hex')}`
const opened = (sealedState: unknown): string | undefined => {
  const [state = ''] = String(sealedState).split('.')
  return sealedState === sealed(state) ? state : undefined
}

/** Loosely typed on purpose: the suite looks at what is on the wire. */
// biome-ignore lint/suspicious/noExplicitAny: contexts and answers of every shape
type Any = any
type DemoTool = (context: Any, library: Any) => Any

const pause = () => Bun.sleep(50)
const asking =
  (inputs: Readonly<Record<string, object>>, state?: string): DemoTool =>
  ({ mcpReq }, { ProtocolError }) => {
    const responses = mcpReq.inputResponses ?? {}
    const echoed = mcpReq.requestState()
    if (echoed !== undefined && opened(echoed) === undefined) throw new ProtocolError(-32602, 'the state was altered')
    const isWhole = Object.keys(inputs).every((name) => typeof responses[name] === 'object' && responses[name] !== null)
    if (!isWhole || (state !== undefined && echoed === undefined)) return needed(inputs, state)
    return { content: [text(`state-ok ${JSON.stringify(responses)}`)] }
  }

const simple =
  (...content: object[]): DemoTool =>
  () => ({ content })

const tools: Readonly<Record<string, DemoTool>> = {
  test_simple_text: simple(text('This is a simple text response for testing.')),
  test_image_content: simple(image),
  test_audio_content: simple({ type: 'audio', data: wav, mimeType: 'audio/wav' }),
  test_embedded_resource: simple(
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  test_multiple_content_types: simple(
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  async test_tool_with_logging({ mcpReq }) {
    for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: words } })
      await pause()
    }
    return { content: [text('logged')] }
  },
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      await pause()
    }
    return { content: [text('done')] }
  },
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'words')
    return { content: [text('logged')] }
  },
  test_missing_capability({ mcpReq }, { MissingRequiredClientCapabilityError }) {
    const has = mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities']?.sampling
    if (!has) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return { content: [text('there')] }
  },
  test_streaming_elicitation: asking({ answer: elicit('What?', 'answer') }),
  test_input_required_result_elicitation: asking({ user_name: elicit('What is your name?', 'name') }),
  test_input_required_result_sampling: asking({ capital_question: sample('What is the capital of France?') }),
  test_input_required_result_list_roots: asking({ client_roots: roots }),
  test_input_required_result_request_state: asking({ confirm: elicit('Please confirm', 'ok', 'boolean') }, 'one'),
  test_input_required_result_tampered_state: asking({ confirm: elicit('Please confirm', 'ok', 'boolean') }, 'one'),
  test_input_required_result_multiple_inputs: asking(
    { user_name: elicit('What is your name?', 'name'), greeting: sample('Generate a greeting'), client_roots: roots },
    'one',
  ),
  test_input_required_result_multi_round(context, library) {
    const state = context.mcpReq.requestState()
    if (state === undefined) return needed({ step1: elicit('Step 1: What is your name?', 'name') }, 'first')
    if (opened(state) === 'first')
      return needed({ step2: elicit('Step 2: What is your favorite color?', 'color') }, 'second')
    return asking({ step2: elicit('', 'color') }, 'second')(context, library)
  },
  test_input_required_result_capabilities({ mcpReq }) {
    const can = mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {}
    return needed({
      ...(can.elicitation ? { name: elicit('What is your name?', 'name') } : {}),
      ...(can.sampling ? { words: sample('Generate a greeting') } : {}),
    })
  },
}

const prompts: Readonly<
  Record<string, { readonly takes: readonly string[]; readonly messages: (args: Any) => object[] }>
> = {
  test_simple_prompt: { takes: [], messages: () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    takes: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    takes: ['resourceUri'],
    messages: ({ resourceUri }) => [
      embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: { takes: [], messages: () => [image, text('Please analyze the image above.')] },
  test_input_required_result_prompt: { takes: [], messages: () => [text('with context')] },
}

const resources = [
  { uri: 'test://static-text', name: 'text', description: 'Words.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'binary', description: 'A pixel.', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched', description: 'Words.', mimeType: 'text/plain' },
]

function contentOf(uri: string): object | undefined {
  if (uri === 'test://static-text')
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: png }
  if (uri === 'test://watched-resource') return { uri, mimeType: 'text/plain', text: 'Words.' }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  const data = { id, templateTest: true, data: `Data for ID: ${id}` }
  return id === undefined ? undefined : { uri, mimeType: 'application/json', text: JSON.stringify(data) }
}

export const demoServer: MakeServer<object> = (library) => {
  const { Server, ProtocolError } = library
  const server = new Server(
    { name: 'demo', version: '1' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
    },
  )
  const on = server.setRequestHandler.bind(server) as (
    method: string,
    handler: (request: Any, context: Any) => Any,
  ) => void
  on('tools/list', () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      description: `The tool ${name}.`,
      inputSchema: { type: 'object' },
    })),
  }))
  on('tools/call', ({ params }, context) => {
    const tool = tools[params.name]
    if (!tool) throw new ProtocolError(-32602, 'no such tool')
    return tool(context, library)
  })
  on('resources/list', () => ({ resources }))
  on('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', description: 'Data of an id.' }],
  }))
  on('resources/read', ({ params: { uri } }) => {
    const content = contentOf(uri)
    if (!content) throw new ProtocolError(-32602, 'Resource not found', { uri })
    return { contents: [content] }
  })
  on('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([name, { takes }]) => ({
      name,
      description: `The prompt ${name}.`,
      arguments: takes.map((argument) => ({ name: argument, description: 'Words.', required: true })),
    })),
  }))
  on('prompts/get', ({ params }, context) => {
    if (params.name === 'test_input_required_result_prompt' && !context.mcpReq.inputResponses)
      return needed({ user_context: elicit('What context should the prompt use?', 'context') })
    const messages = prompts[params.name]?.messages(params.arguments ?? {}) ?? []
    return { messages: messages.map((content) => ({ role: 'user', content })) }
  })
  on('completion/complete', () => ({ completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false } }))
  for (const method of ['resources/subscribe', 'resources/unsubscribe']) on(method, () => ({}))
  return server
}
