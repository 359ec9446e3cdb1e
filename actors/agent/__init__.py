"""One conversation: prompt, model, tools, results, and again until there is nothing left to do."""
