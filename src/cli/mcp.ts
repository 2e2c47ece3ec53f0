import type { Command } from 'commander'
import { readConfig } from '../config.js'
import type { CommandLine } from './command-line.js'

/**
 * `assay mcp`: the checks as tools of the Model Context Protocol on standard input and output, from
 * the configured nodes, without a server or a key.
 */
export function addMcpCommand(program: Command, { env }: CommandLine): void {
  program
    .command('mcp')
    .description('offer the checks as MCP tools on standard input and output')
    .action(async () => {
      const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
      const { createMcpServer } = await import('../mcp/create-mcp-server.js')
      const { createServices } = await import('../wiring/create-services.js')
      // Standard output belongs to the protocol.
      const { services, close } = await createServices({ ...readConfig(env), logLevel: 'silent' })
      const server = createMcpServer({ services, caller: 'stdio', count: async () => {} })
      const ended = new Promise<void>((resolve) => {
        server.onclose = resolve
        process.stdin.once('end', resolve)
      })
      try {
        await server.connect(new StdioServerTransport())
        await ended
      } finally {
        await server.close()
        await close()
      }
    })
}
