"""Who may ask? The page, the REST service, its Python client and the MCP server; the only folder that knows HTTP."""
