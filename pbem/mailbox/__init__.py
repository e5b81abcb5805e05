"""How mail leaves and arrives. Reading order: settings, credentials, advice, sending, fetching."""
