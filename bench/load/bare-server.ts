import fastify from 'fastify'

/**
 * A Fastify route that does nothing but send the text that its parent gives. Answers with its
 * address.
 */
process.once('message', async (text: string) => {
  const app = fastify()
  app.post('/', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
})
