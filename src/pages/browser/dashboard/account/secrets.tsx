import { Heading } from '../parts.tsx'

export const Secrets = () => <Heading title="Secrets" />
