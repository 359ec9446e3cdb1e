"""The agents that are measured beside one another: how each is started, pointed at our model server, told to call."""
