"""WebSockets: connections, their transport, and the limits on connections and rates."""
