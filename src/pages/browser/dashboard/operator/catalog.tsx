import { Heading } from '../parts.tsx'

export const Catalog = () => <Heading title="Verifiers and providers" />
