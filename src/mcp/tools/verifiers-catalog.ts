import { Type } from '@sinclair/typebox'
import { defineClosed, Judges } from '../../verifiers/shapes.ts'
import { readExpiry } from '../../verifiers/verifier.ts'
import { listNotOffered, NotOffered } from '../not-offered.ts'
import { defineTool, looksOnly } from '../tool.ts'

export const verifiersCatalog = defineTool({
  name: 'verifiers_catalog',
  title: 'Which verifiers there are',
  description:
    'Lists the ids of the verifiers this server offers, such as ownership-basic or wallet-link. Call it before you name a verifier, unless {brand}_context told you already. What each of them takes is in the structured answer.',
  input: defineClosed({}),
  output: Type.Object({
    success: Type.Literal(true),
    verifierIds: Type.Array(Type.String()),
    verifiers: Type.Array(
      Type.Object({
        id: Type.String(),
        category: Type.String(),
        description: Type.String(),
        flowType: Type.String({ description: 'instant, interactive or external_lookup.' }),
        expiryType: Type.String({ description: 'permanent, point_in_time or expiring.' }),
        requiredFields: Type.Array(Type.String(), { description: 'Members that data must have.' }),
        optionalFields: Type.Array(Type.String()),
        judges: Type.Optional(
          Type.Array(Judges, {
            description: 'Where providers judge: whom the operator asks, and whom data.provider may name.',
          }),
        ),
      }),
    ),
    notOffered: NotOffered,
  }),
  annotations: looksOnly,
  needs: [],

  run(_, { parts: { catalog, outside, verifierSettings } }) {
    const verifiers = [...catalog.enabled.values()].map((verifier) => {
      const { id, category, description, flow, data, judges } = verifier
      const required: readonly string[] = data.required ?? []
      return {
        id,
        category,
        description,
        flowType: flow,
        expiryType: readExpiry(verifier, verifierSettings),
        requiredFields: [...required],
        optionalFields: Object.keys(data.properties).filter((name) => !required.includes(name)),
        ...(judges ? { judges: [...judges(outside)] } : {}),
      }
    })
    return {
      success: true as const,
      verifierIds: verifiers.map(({ id }) => id),
      verifiers,
      notOffered: listNotOffered(catalog),
    }
  },

  /** Clients of this interface read the bare list. */
  text: ({ verifierIds }) => JSON.stringify(verifierIds),
})
